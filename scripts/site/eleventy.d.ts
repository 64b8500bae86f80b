/** What the site uses of two packages that bring no types. */
declare module "@11ty/eleventy" {
  export interface Token {
    type: string;
    content: string;
    readonly children: readonly Token[] | null;
    attrGet(name: string): string | null;
  }

  export interface Markdown {
    readonly core: {
      readonly ruler: {
        push(name: string, rule: (state: { readonly tokens: readonly Token[]; readonly env: unknown }) => void): void;
      };
    };
  }

  export interface Page {
    readonly inputPath: string;
    readonly outputPath: string | false;
    readonly url: string;
  }

  export interface Configuration {
    addPlugin(plugin: unknown): void;
    addGlobalData(name: string, value: string): void;
    addPassthroughCopy(paths: Readonly<Record<string, string>>): void;
    addTransform(name: string, transform: (this: { readonly page: Page }, content: string) => string): void;
    amendLibrary(name: "md", amend: (markdown: Markdown) => void): void;
  }

  export interface Settings {
    readonly quietMode: boolean;
    readonly configPath: undefined;
    readonly config: (configuration: Configuration) => void;
  }

  export default class Eleventy {
    constructor(input: string, output: string, settings: Settings);
    write(): Promise<void>;
    watch(): Promise<void>;
    serve(port: number): Promise<void>;
  }
  export const IdAttributePlugin: unknown;
  export const InputPathToUrlTransformPlugin: unknown;
}

declare module "@11ty/eleventy-plugin-syntaxhighlight" {
  const plugin: unknown;
  export default plugin;
}
