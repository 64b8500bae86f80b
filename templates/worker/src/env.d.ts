/** What wrangler.toml binds, and the secrets. */
declare namespace Cloudflare {
  interface Env {
    readonly EXECUTIONS: DurableObjectNamespace<import("./index.ts").Execution>;
    readonly SCHEDULER: DurableObjectNamespace<import("./index.ts").Scheduler>;
  }
  interface GlobalProps {
    readonly mainModule: typeof import("./index.ts");
  }
}
