/** What wrangler.toml binds, and the secrets. */
declare namespace Cloudflare {
  interface Env {
    readonly EXECUTIONS: DurableObjectNamespace<import("./index.ts").Execution>;
    readonly DIRECTORY: DurableObjectNamespace<import("./index.ts").Directory>;
  }
  interface GlobalProps {
    readonly mainModule: typeof import("./index.ts");
  }
}
