/**
 * What every end-to-end test has: a page with the lab's verbs and the timeline's, and a watch over
 * the console. Any error there fails the test, unless the test said before that it will come.
 */
import { test as base, type BrowserContext } from '@playwright/test'
import { LabPage } from './lab'
import { TimelinePage } from './timeline-page'

export interface ErrorWatch {
  /** Errors whose text fits are part of this test. */
  readonly allow: (pattern: RegExp) => void
}

/**
 * A visitor who has asked for runs on this machine, and for the details of a result: its defaults
 * are form.spec.ts's.
 */
const SETTLED = { version: 1, data: { theme: 'system', runsOnSoftware: true, looksCloser: true } }

/** Before its first page. */
export const settle = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript((view) => {
    try {
      localStorage.setItem('host-device-lab:view', localStorage.getItem('host-device-lab:view') ?? view)
    } catch {
      // A page without storage keeps nothing.
    }
  }, JSON.stringify(SETTLED))

export const test = base.extend<{
  lab: LabPage
  timeline: TimelinePage
  errors: ErrorWatch
  /** False: as at a first visit. */
  settled: boolean
}>({
  settled: [true, { option: true }],
  context: async ({ context, settled }, use) => {
    if (settled) await settle(context)
    await use(context)
  },
  errors: [
    async ({ page }, use) => {
      const seen: string[] = []
      const allowed: RegExp[] = []
      page.on('pageerror', (error) => seen.push(`page error: ${error.stack ?? error.message}`))
      page.on('console', (message) => {
        if (message.type() === 'error')
          seen.push(`console error: ${message.text()} (${message.location().url})`)
      })
      // React reports what it recovered from as an error of its own, which keeps the reason as its
      // cause: no browser prints that one.
      await page.addInitScript(() => {
        addEventListener('error', ({ error }) => {
          if (error instanceof Error && error.cause instanceof Error)
            console.error(`caused by ${String(error.cause)}\n${error.cause.stack ?? ''}`)
        })
      })
      await use({ allow: (pattern) => allowed.push(pattern) })
      const unexpected = seen.filter((text) => !allowed.some((pattern) => pattern.test(text)))
      if (unexpected.length > 0) throw new Error(`The page reported:\n${unexpected.join('\n')}`)
    },
    { auto: true },
  ],
  lab: async ({ page }, use) => await use(new LabPage(page)),
  timeline: async ({ lab }, use) => await use(new TimelinePage(lab)),
})

export { expect } from '@playwright/test'

/**
 * Of a test that any adapter passes alike, in a spec that a GPU runs, LONG tests included: it takes
 * time there and tells nothing.
 */
export const ANYWHERE = { tag: '@anywhere' }
/**
 * Of a test that compares times, in a spec whose others do not: what runs beside it would be part
 * of them.
 */
export const ALONE = { tag: '@alone' }
/**
 * In `npm run test:long`, and where a file is asked for, but not in `npm test`: what something
 * cheaper holds as well, or one like it there.
 */
export const LONG = { tag: '@long' }
/** Whether these run too. For what is deeper within one test. */
export { IS_LONG } from '../src/testing/long'
