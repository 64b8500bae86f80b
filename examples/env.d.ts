declare namespace Cloudflare {
  interface Env {
    /** Where the flaky service listens: `wrangler dev --var FLAKY_URL:http://127.0.0.1:8788`. */
    readonly FLAKY_URL: string;
  }
}
