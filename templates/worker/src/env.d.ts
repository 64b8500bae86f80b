/** What wrangler.toml binds, and the secrets. */
declare namespace Cloudflare {
  interface Env {
    readonly EXECUTIONS: DurableObjectNamespace<import("./index.ts").Execution>;
    readonly DIRECTORY: DurableObjectNamespace<import("./index.ts").Directory>;
    readonly SCHEDULER: DurableObjectNamespace<import("./index.ts").Scheduler>;
  }
  interface GlobalProps {
    readonly mainModule: typeof import("./index.ts");
  }
}
