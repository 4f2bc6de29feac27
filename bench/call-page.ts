import type { Page } from 'playwright-core'

type Called<Value> = Value extends (...args: infer Args) => infer Answer
  ? { readonly args: Args; readonly answer: Awaited<Answer> }
  : never

/**
 * Calls functions of the object that a bench's page promises as a global of this name, there;
 * answers come as JSON.
 */
export const callsOf =
  <Functions>(page: Page, object: string) =>
  async <Name extends keyof Functions & string>(
    name: Name,
    ...args: Called<Functions[Name]>['args']
  ): Promise<Called<Functions[Name]>['answer']> =>
    (await page.evaluate(
      async ([of, called, given]) => {
        type Bench = Readonly<Record<string, (...all: readonly unknown[]) => unknown>>
        const bench = await (globalThis as unknown as Readonly<Record<string, Promise<Bench>>>)[of]
        return await bench?.[called]?.(...given)
      },
      [object, name, args as readonly unknown[]] as const,
    )) as Called<Functions[Name]>['answer'] // the page's functions return what they say
