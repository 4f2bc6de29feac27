/**
 * Waits that the page itself takes: what it still has to do comes first, however busy the machine
 * is.
 */
import type { Page } from '@playwright/test'

/** Timers that are due by then have run, and what they changed is drawn. */
export const passes = (page: Page, ms: number): Promise<unknown> =>
  page.evaluate(
    (waitMs) =>
      new Promise((resolve) =>
        setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), waitMs),
      ),
    ms,
  )
