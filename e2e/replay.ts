/** The replay of a run's first steps: where it stands, and what a visitor does with it. */
import { expect, type Locator, type Page } from '@playwright/test'
import { passes } from './in-page'

/** Longer than any replay moves by less than a thousandth of its way. */
const STANDS_MS = 400

/** An idle stretch as wide as this, in CSS px, has room for its share. */
export const LABEL_PX = 90

export class Replay {
  readonly #page: Page
  readonly #within: Page | Locator
  readonly moment: Locator
  readonly play: Locator
  readonly pause: Locator
  /** Where it stands, in words. */
  readonly now: Locator

  /** @param within where the page has more than one */
  constructor(page: Page, within: Page | Locator = page) {
    this.#page = page
    this.#within = within
    const bar = within.getByRole('group', { name: 'Replay' })
    this.moment = bar.getByRole('slider', { name: 'Moment' })
    this.play = bar.getByRole('button', { name: /^(Replay slowly|Play)$/ })
    this.pause = bar.getByRole('button', { name: 'Pause' })
    this.now = bar.locator('.playback-now')
  }

  /** In thousandths of its way. */
  async at(): Promise<number> {
    return Number(await this.moment.inputValue())
  }
  /** Where its line is drawn, CSS px from the common zero: finer than the slider. */
  async line(): Promise<number> {
    return Number(await this.#within.locator('.strips-now').first().getAttribute('x1'))
  }
  /** By itself, and further than it stood. */
  async expectMoves(): Promise<void> {
    // From the reading before, not from the first: until its first frame a replay that begins again
    // stands at its end.
    let from = await this.at()
    const moved = async () => {
      const [before, now] = [from, await this.at()]
      from = now
      return now - before
    }
    await expect.poll(moved).toBeGreaterThan(0)
  }
  async expectStands(): Promise<void> {
    const from = await this.moment.getAttribute('aria-valuetext')
    await passes(this.#page, STANDS_MS)
    expect(await this.moment.getAttribute('aria-valuetext')).toBe(from)
  }
  /**
   * Presses a key, from change to change, until the replay stands where `isThere` holds. How many
   * that takes is the run's: its end is the limit.
   */
  async stepUntil(key: '.' | ',', isThere: () => Promise<boolean>): Promise<void> {
    const end = (await this.moment.getAttribute(key === '.' ? 'max' : 'min')) ?? ''
    do {
      await this.#page.keyboard.press(key)
      await passes(this.#page, 0)
      if (await isThere()) return
    } while ((await this.moment.inputValue()) !== end)
    throw new Error(`Presses of ${key} led to the end.`)
  }
}
