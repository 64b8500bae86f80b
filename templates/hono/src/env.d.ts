/** What wrangler.toml binds, and the secrets. */
declare namespace Cloudflare {
  interface Env {
    readonly EXECUTIONS: DurableObjectNamespace<import("./index.ts").Execution>;
  }
  interface GlobalProps {
    readonly mainModule: typeof import("./index.ts");
  }
}
