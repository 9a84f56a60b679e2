// What the board uses of lit-html 3.3.3.
export interface TemplateResult {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => TemplateResult;
export const svg: (strings: TemplateStringsArray, ...values: unknown[]) => TemplateResult;
export const nothing: unique symbol;
export type Drawn = TemplateResult | typeof nothing | string | Drawn[];
export const render: (value: Drawn, container: Element) => unknown;
export const classMap: (classes: Record<string, boolean>) => unknown;
export const live: (value: unknown) => unknown;
export const ref: (callback: (element: Element | undefined) => void) => unknown;
export const repeat: <T>(
  items: Iterable<T>,
  key: (item: T, index: number) => unknown,
  template: (item: T, index: number) => Drawn,
) => Drawn;
