/**
 * The timeline on a page, in the words of one who uses it: keys, a mouse, and what is written
 * beside the canvas. What the canvas shows is read where it is also said (the live regions, the
 * table), and only else from its pixels. Points are shares of the canvas.
 */
import { expect, type Locator, type Page } from '@playwright/test'
import { passes } from './in-page'
import type { LabPage } from './lab'
import { recordingPath } from './recordings'

type File = Parameters<Locator['setInputFiles']>[0]

/**
 * As long as something must hold still: words beside the picture follow it a few times a second
 * only.
 */
const WORDS_SETTLE_MS = 500
const PICTURE_SETTLES_MS = 400

export class TimelinePage {
  readonly page: Page
  readonly canvas: Locator
  /** The lanes as painted; what follows the pointer lies on a canvas of its own. */
  readonly lanes: Locator
  readonly selection: Locator
  /** What a screen reader hears of the selection. */
  readonly announcer: Locator
  readonly area: Locator
  /** Text that a screen reader speaks when lanes fold. */
  readonly handsAnnouncer: Locator
  readonly searchField: Locator
  readonly searchCount: Locator
  readonly criticalPath: Locator
  readonly legend: Locator
  readonly tableRows: Locator
  readonly keyHelp: Locator
  readonly #lab: LabPage

  constructor(lab: LabPage) {
    const { page } = lab
    this.#lab = lab
    this.page = page
    this.canvas = page.getByRole('application', { name: /^Timeline/ })
    this.lanes = this.canvas.locator('canvas').first()
    this.selection = page.getByRole('region', { name: 'Selection' })
    this.announcer = page.getByTestId('timeline-announcer')
    this.area = page.getByRole('region', { name: 'Selected area', exact: true })
    this.handsAnnouncer = page.getByTestId('lanes-announcer')
    this.searchField = page.getByRole('searchbox', { name: 'Find spans' })
    this.searchCount = page.getByRole('search').getByRole('status')
    this.criticalPath = page.getByRole('region', { name: 'Critical path', exact: true })
    this.legend = page.getByRole('list', { name: 'Legend' })
    this.tableRows = page.locator('.tl-table tbody tr')
    this.keyHelp = page.getByRole('dialog', { name: 'Keys and gestures' })
  }

  // --- opening
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * A run of sync-stalls that is the same on every machine, in the page of its experiment. It opens
   * on one round.
   */
  async openRecordedRun(): Promise<void> {
    await this.#lab.open('/run/sync-stalls')
    await this.page.getByLabel('Open a saved run').setInputFiles(recordingPath('sync-stalls.hdl.gz'))
    await this.#isThere()
    await this.scrollIntoView()
  }

  /** A recording or profile that comes with the site. */
  async openProfile(recording: string): Promise<void> {
    await this.#lab.open(`/trace?recording=${recording}`)
    await this.#isThere()
  }

  async openFile(file: File): Promise<void> {
    await this.#lab.open('/trace')
    await this.page.getByLabel(/^(Choose files|Open another)$/).setInputFiles(file)
    await this.#isThere()
  }

  async #isThere(): Promise<void> {
    await expect(this.lanes).toBeVisible()
  }

  /** The recorded run, all of it in view, with the table that counts what is. */
  async openRecordedRunAsTable(): Promise<void> {
    await this.openRecordedRun()
    await this.page.getByText('What is in view, as a table').click()
    await expect.poll(() => this.countInView()).toBeGreaterThan(0)
    const round = await this.settled(() => this.countInView())
    await this.viewButton('Whole run').click()
    await expect.poll(() => this.countInView()).toBeGreaterThan(round)
    await this.settled(() => this.countInView())
  }

  /**
   * For what comes next on the same visit: nothing selected, summed up or searched for, and this in
   * view.
   */
  async letGo(view: 'Whole run' | 'One round'): Promise<void> {
    await this.press('Escape', 'Escape', 'Escape')
    for (const region of [this.selection, this.area]) await expect(region).toBeHidden()
    await expect(this.searchField).toHaveValue('')
    await this.viewButton(view).click()
    await this.picture()
    await this.scrollIntoView()
  }

  // --- keys and buttons
  // --------------------------------------------------------------------------------------------------------

  /** On the canvas. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.canvas.focus()
    await this.pressHere(...keys)
  }

  /** Wherever the focus is: in the table, in a field. */
  async pressHere(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  async write(text: string): Promise<void> {
    await this.page.keyboard.type(text)
  }

  /** What moves the view: in the toolbar over the canvas. */
  viewButton(name: string): Locator {
    return this.page.getByRole('toolbar', { name: 'Timeline view' }).getByRole('button', { name })
  }

  /** Of anything that belongs to the timeline. */
  button(name: string | RegExp): Locator {
    return this.page.locator('.tl-pane').getByRole('button', { name })
  }

  /** Finds spans by a query; how many. */
  async find(query: string): Promise<number> {
    await this.searchField.fill(query)
    await expect(this.searchCount).toHaveText(/found$/)
    return Number((await this.searchCount.innerText()).replaceAll(/\D/g, ''))
  }

  // --- the mouse
  // ---------------------------------------------------------------------------------------------------------------

  /** The canvas on the page, CSS px. */
  async box(): Promise<{
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }> {
    const box = await this.canvas.boundingBox()
    if (!box) throw new Error('The timeline is not on the page.')
    return box
  }

  async height(): Promise<number> {
    return (await this.canvas.boundingBox())?.height ?? 0
  }

  async scrollIntoView(): Promise<void> {
    await this.canvas.scrollIntoViewIfNeeded()
    await expect.poll(() => this.height()).toBeGreaterThan(100)
  }

  async point(x: number, y: number): Promise<readonly [number, number]> {
    const box = await this.box()
    return [box.x + x * box.width, box.y + y * box.height]
  }

  async pointAt(x: number, y: number): Promise<void> {
    await this.page.mouse.move(...(await this.point(x, y)))
  }

  /** A place `cssX` and `cssY` from the canvas' top left corner. */
  async pointAtPx(cssX: number, cssY: number): Promise<void> {
    const box = await this.box()
    await this.page.mouse.move(box.x + cssX, box.y + cssY)
  }

  async click(x: number, y: number): Promise<void> {
    await this.page.mouse.click(...(await this.point(x, y)))
  }

  /** Sideways, in the middle of the canvas. */
  async drag(from: number, to: number, key?: 'Shift'): Promise<void> {
    const { mouse, keyboard } = this.page
    await this.pointAt(from, 0.5)
    if (key) await keyboard.down(key)
    await mouse.down()
    await this.pointAt((from + to) / 2, 0.5)
    await this.pointAt(to, 0.5)
    await mouse.up()
    if (key) await keyboard.up(key)
  }

  async wheel(cssY: number, key?: 'Control'): Promise<void> {
    const { mouse, keyboard } = this.page
    if (key) await keyboard.down(key)
    await mouse.wheel(0, cssY)
    if (key) await keyboard.up(key)
  }

  // --- reading
  // -----------------------------------------------------------------------------------------------------------------

  /** Spans and gaps in view, all of them, as the table counts them. */
  async countInView(): Promise<number> {
    const text = await this.page.locator('.tl-span-table').getByRole('status').innerText()
    const counts = (text.match(/\d[\d\s,.]*/g) ?? ['0']).map((each) => Number(each.replaceAll(/\D/g, '')))
    return Math.max(...counts)
  }

  column(name: string): Locator {
    return this.page.getByRole('columnheader', { name })
  }

  async sortBy(column: string): Promise<void> {
    await this.column(column).getByRole('button').click()
  }

  /** The start of the table's first row. */
  async firstStart(): Promise<string> {
    return await this.tableRows.first().locator('td').first().innerText()
  }

  /** The table's rows of this lane and this kind of span. */
  rowsOf(lane: string, kind: string): Locator {
    const cell = (name: string) => this.page.getByRole('cell', { name, exact: true })
    return this.tableRows.filter({ has: cell(lane) }).filter({ has: cell(kind) })
  }

  /** The lanes as painted, once they hold still. */
  async picture(): Promise<string> {
    return await this.settled(
      () => this.lanes.evaluate((node: HTMLCanvasElement) => node.toDataURL()),
      PICTURE_SETTLES_MS,
    )
  }

  /** Device pixels a CSS pixel, and how many colours the lanes are painted in. */
  async sharpness(): Promise<{ readonly scale: number; readonly colours: number }> {
    return await this.lanes.evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      const pixels =
        canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
      const colours = new Set<number>()
      for (let at = 0; at < pixels.length; at += 4)
        colours.add(((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0))
      return { scale: width / canvas.getBoundingClientRect().width, colours: colours.size }
    })
  }

  /** What is read, once it has stopped changing. */
  async settled<T extends string | number>(read: () => Promise<T>, forMs = WORDS_SETTLE_MS): Promise<T> {
    for (let last = await read(); ;) {
      await passes(this.page, forMs)
      const now = await read()
      if (now === last) return now
      last = now
    }
  }
}
