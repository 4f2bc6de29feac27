/** What a learner wrote is never lost: over reloads, new builds, resets, two tabs, storage that is off or full, and tabs that are killed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMendCodeStore, type MendCode, type MendCodeStore } from './mend-code'
import { fitsRecord, hashText, recordKey } from './mend-code-record'
import { fakeSite, type FakePage } from './testing/fake-tab'

const LONGEST_RUN_MS = 120_000

const MAX_TEXT_BYTES = 64 * 1024

const LESSON = 'sync-stalls'
const START = 'const a = 1\n'

const codeOf = (mends: MendCodeStore, lesson = LESSON): MendCode => {
  const code = mends.store.getState().lessons[lesson]
  if (!code) throw new Error('not open')
  return code
}
const make = ({ localStore, tab }: FakePage, now?: () => number) => createMendCodeStore(localStore, tab, now)
async function opened(page: FakePage, start = START): Promise<MendCodeStore> {
  const mends = make(page)
  await mends.open(LESSON, start)
  return mends
}

describe('a program', () => {
  it('is the start until something is written, and then what was written, after a reload too', async () => {
    const site = fakeSite()
    const first = await opened(site.newPage())
    expect(codeOf(first)).toMatchObject({ text: START, saving: 'kept', savedAt: null, startChanged: false })
    expect(site.items.size).toBe(0) // opening writes nothing
    first.write(LESSON, 'mine')
    const second = await opened(site.newPage())
    expect(codeOf(second)).toMatchObject({ text: 'mine', saving: 'kept', startChanged: false })
    expect(codeOf(second).savedAt).toMatch(/^\d{4}-/)
  })

  it('lies in storage as soon as the key is up, each lesson under its own key', async () => {
    const site = fakeSite()
    const mends = await opened(site.newPage())
    await mends.open('other', START)
    for (const text of ['c', 'co', 'con']) {
      mends.write(LESSON, text)
      expect(site.items.get(recordKey(LESSON))).toContain(`"text":"${text}"`)
    }
    expect(site.items.has(recordKey('other'))).toBe(false)
  })

  it('is in storage before anything that listens can fail', async () => {
    const site = fakeSite()
    const mends = await opened(site.newPage())
    mends.store.subscribe(() => {
      throw new Error('a page that breaks')
    })
    expect(() => {
      mends.write(LESSON, 'mine')
    }).toThrow('a page that breaks')
    expect(codeOf(await opened(site.newPage())).text).toBe('mine')
  })

  it('is opened once: what is on the page is not read over', async () => {
    const mends = await opened(fakeSite('blocked').newPage())
    mends.write(LESSON, 'mine')
    await mends.open(LESSON, START)
    expect(codeOf(mends).text).toBe('mine')
  })

  it('comes back whatever was typed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), async (texts) => {
        const site = fakeSite()
        const mends = await opened(site.newPage())
        for (const text of texts) mends.write(LESSON, text)
        expect(codeOf(await opened(site.newPage())).text).toBe(texts.at(-1))
      }),
      { numRuns: 50 },
    )
  })
})

describe('a build with another start', () => {
  it('leaves the learner’s text and reports the difference, until a reset', async () => {
    const site = fakeSite()
    ;(await opened(site.newPage())).write(LESSON, 'mine')
    const page = site.newPage()
    const mends = await opened(page, 'new start')
    expect(codeOf(mends)).toMatchObject({ text: 'mine', startChanged: true, start: 'new start' })
    mends.write(LESSON, 'mine, and more')
    page.leave()
    const later = await opened(site.newPage(), 'new start')
    expect(codeOf(later)).toMatchObject({ text: 'mine, and more', startChanged: true })
    later.reset(LESSON)
    expect(codeOf(later)).toMatchObject({ text: 'new start', startChanged: false })
    later.write(LESSON, 'from the new start')
    expect(codeOf(await opened(site.newPage(), 'new start')).startChanged).toBe(false)
  })

  it('takes the place of a start that the learner had not changed', async () => {
    const site = fakeSite()
    const mends = await opened(site.newPage())
    mends.write(LESSON, 'mine')
    mends.write(LESSON, START)
    expect(codeOf(await opened(site.newPage(), 'new start'))).toMatchObject({
      text: 'new start',
      startChanged: false,
    })
  })
})

describe('reset', () => {
  it('gives the start, and the text back when it is asked for, after a reload too', async () => {
    const site = fakeSite()
    const mends = await opened(site.newPage())
    mends.write(LESSON, 'mine')
    mends.reset(LESSON)
    expect(codeOf(mends)).toMatchObject({ text: START, discarded: { text: 'mine' } })
    const later = await opened(site.newPage())
    expect(codeOf(later)).toMatchObject({ text: START, discarded: { text: 'mine' } })
    later.bringBack(LESSON)
    expect(codeOf(later)).toMatchObject({ text: 'mine', discarded: null })
  })

  it('changes nothing where there is nothing to reset or to bring back', async () => {
    const mends = await opened(fakeSite().newPage())
    mends.write(LESSON, 'mine')
    mends.reset(LESSON)
    mends.reset(LESSON)
    expect(codeOf(mends).discarded?.text).toBe('mine')
    mends.bringBack(LESSON)
    mends.bringBack(LESSON)
    expect(codeOf(mends)).toMatchObject({ text: 'mine', discarded: null })
  })

  it('swaps what was written since for what comes back', async () => {
    const mends = await opened(fakeSite().newPage())
    mends.write(LESSON, 'first')
    mends.reset(LESSON)
    mends.write(LESSON, 'second')
    mends.bringBack(LESSON)
    expect(codeOf(mends)).toMatchObject({ text: 'first', discarded: { text: 'second' } })
  })

  it('is forgotten once the editor’s undo has restored the text and the learner goes on', async () => {
    const mends = await opened(fakeSite().newPage())
    mends.write(LESSON, 'mine')
    mends.reset(LESSON)
    mends.write(LESSON, 'mine') // undo
    mends.write(LESSON, START) // redo
    expect(codeOf(mends)).toMatchObject({ text: START, discarded: { text: 'mine' } })
    mends.write(LESSON, 'mine') // undo
    mends.write(LESSON, 'mine too')
    expect(codeOf(mends).discarded).toBeNull()
  })
})

describe('two tabs', () => {
  async function twoTabs() {
    const site = fakeSite()
    const [first, second] = [site.newPage(), site.newPage()]
    return { site, first, second, a: await opened(first), b: await opened(second) }
  }

  it('each keep their text and offer the other’s', async () => {
    const { site, a, b } = await twoTabs()
    b.write(LESSON, 'of b')
    site.deliver()
    expect(codeOf(a)).toMatchObject({ text: START, elsewhere: { text: 'of b' } })
    a.write(LESSON, 'of a')
    site.deliver()
    expect(codeOf(a)).toMatchObject({ text: 'of a', elsewhere: { text: 'of b' } })
    expect(codeOf(b)).toMatchObject({ text: 'of b', elsewhere: { text: 'of a' } })
  })

  it('take the other’s text: their own can be brought back', async () => {
    const { site, a, b } = await twoTabs()
    a.write(LESSON, 'of a')
    b.write(LESSON, 'of b')
    site.deliver()
    a.takeElsewhere(LESSON)
    expect(codeOf(a)).toMatchObject({ text: 'of b', elsewhere: null, discarded: { text: 'of a' } })
    site.deliver()
    expect(codeOf(b).elsewhere).toBeNull() // both have the same now
    a.bringBack(LESSON)
    expect(codeOf(a).text).toBe('of a')
  })

  it('keep their own: the offer is gone, also after a reload', async () => {
    const { site, a, b } = await twoTabs()
    b.write(LESSON, 'of b')
    site.deliver()
    a.write(LESSON, 'of a')
    a.keepMine(LESSON)
    expect(codeOf(a).elsewhere).toBeNull()
    expect(codeOf(await opened(site.newPage()))).toMatchObject({ text: 'of a', elsewhere: null })
  })

  it('lose nothing where one writes before it has learned of the other’s write, and the other is closed', async () => {
    const { site, second, a, b } = await twoTabs()
    b.write(LESSON, 'of b')
    second.leave()
    a.write(LESSON, 'of a') // no event has been delivered
    expect(codeOf(a)).toMatchObject({ text: 'of a', elsewhere: { text: 'of b' } })
    const later = await opened(site.newPage())
    expect(codeOf(later)).toMatchObject({ text: 'of a', elsewhere: { text: 'of b' } })
    later.takeElsewhere(LESSON)
    expect(codeOf(later).text).toBe('of b')
  })

  it('do not disturb each other over another lesson, or over the same text', async () => {
    const { site, a, b } = await twoTabs()
    await b.open('other', START)
    b.write('other', 'of b')
    b.write(LESSON, START)
    site.deliver()
    expect(codeOf(a).elsewhere).toBeNull()
  })

  it('lose no text that is seen in one of them, but for what the other had too and then changed', async () => {
    const step = fc.record({
      by: fc.constantFrom(0, 1),
      text: fc.constantFrom('x', 'y', 'z', START),
      deliver: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { site, a, b, first, second } = await twoTabs()
        const shown = [START, START]
        /** What the other tab has had since this one last wrote. */
        const sharedSince = [new Set([START]), new Set([START])]
        for (const { by, text, deliver } of steps) {
          ;[a, b][by]?.write(LESSON, text)
          shown[by] = text
          sharedSince[by] = new Set([shown[1 - by] ?? ''])
          sharedSince[1 - by]?.add(text)
          if (deliver) site.deliver()
        }
        first.leave()
        second.leave()
        const code = codeOf(await opened(site.newPage()))
        const found = [code.text, code.elsewhere?.text]
        for (const [at, text] of shown.entries())
          if (!sharedSince[at]?.has(text)) expect(found).toContain(text)
      }),
      { numRuns: 500 },
    )
  })
})

describe('storage', () => {
  it.each(['blocked', 'full'] as const)(
    'may be %s: the text stays on the page, and the store says so',
    async (kind) => {
      const mends = await opened(fakeSite(kind).newPage())
      expect(codeOf(mends).saving).toBe('off')
      mends.write(LESSON, 'mine')
      expect(codeOf(mends)).toMatchObject({ text: 'mine', saving: 'off' })
      mends.reset(LESSON)
      mends.bringBack(LESSON)
      expect(codeOf(mends).text).toBe('mine')
    },
  )

  it('keeps 64 KiB, and above that says so until the text is shorter again', async () => {
    const site = fakeSite()
    const mends = await opened(site.newPage())
    const largest = 'x'.repeat(MAX_TEXT_BYTES)
    mends.write(LESSON, largest)
    expect(codeOf(mends).saving).toBe('kept')
    mends.write(LESSON, `${largest}x`)
    expect(codeOf(mends)).toMatchObject({ text: `${largest}x`, saving: 'too-large' })
    expect(codeOf(await opened(site.newPage())).text).toBe(largest)
    mends.write(LESSON, 'short')
    expect(codeOf(mends).saving).toBe('kept')
  })

  it('counts bytes of UTF-8', () => {
    expect(fitsRecord('ä'.repeat(MAX_TEXT_BYTES / 2))).toBe(true)
    expect(fitsRecord('ä'.repeat(MAX_TEXT_BYTES / 2) + 'x')).toBe(false)
  })

  it('leaves what a newer version saved as it is', async () => {
    const site = fakeSite()
    const newer = JSON.stringify({ version: 99, data: { treasure: true } })
    site.items.set(recordKey(LESSON), newer)
    const mends = await opened(site.newPage())
    mends.write(LESSON, 'mine')
    expect(codeOf(mends)).toMatchObject({ text: 'mine', saving: 'newer' })
    expect(site.items.get(recordKey(LESSON))).toBe(newer)
  })

  it('is never believed: whatever lies there, a program opens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (data) => {
        const site = fakeSite()
        site.items.set(recordKey(LESSON), `{"version":1,"data":${data}}`)
        expect(codeOf(await opened(site.newPage())).text).toBe(START)
      }),
    )
  })
})

describe('a run', () => {
  async function running(site: ReturnType<typeof fakeSite>) {
    const page = site.newPage()
    const mends = await opened(page)
    mends.write(LESSON, 'mine')
    mends.running(LESSON)
    return { page, mends }
  }

  it('that ends leaves nothing behind', async () => {
    const site = fakeSite()
    const { page, mends } = await running(site)
    mends.ended(LESSON)
    page.kill()
    expect(codeOf(await opened(site.newPage())).lastRunKilledTheTab).toBe(false)
  })

  it('that kills its tab is reported with the text, once, and until the next run', async () => {
    const site = fakeSite()
    const { page } = await running(site)
    page.kill()
    const next = await opened(site.newPage())
    expect(codeOf(next)).toMatchObject({ text: 'mine', lastRunKilledTheTab: true })
    expect(codeOf(await opened(site.newPage())).lastRunKilledTheTab).toBe(false)
    next.running(LESSON)
    expect(codeOf(next).lastRunKilledTheTab).toBe(false)
  })

  it('can be dismissed', async () => {
    const site = fakeSite()
    const { page } = await running(site)
    page.kill()
    const next = await opened(site.newPage())
    next.dismiss(LESSON)
    expect(codeOf(next).lastRunKilledTheTab).toBe(false)
  })

  it('that the visitor leaves killed nothing', async () => {
    const site = fakeSite()
    const { page } = await running(site)
    page.leave()
    expect(codeOf(await opened(site.newPage())).lastRunKilledTheTab).toBe(false)
  })

  it('in a tab that is alive is not mistaken for one that was killed, and keeps its mark', async () => {
    const site = fakeSite()
    const { page } = await running(site)
    const beside = await opened(site.newPage())
    expect(codeOf(beside).lastRunKilledTheTab).toBe(false)
    beside.running(LESSON)
    beside.ended(LESSON)
    page.kill()
    expect(codeOf(await opened(site.newPage())).lastRunKilledTheTab).toBe(true)
  })

  it('is judged by its age where the browser has no locks', async () => {
    const site = fakeSite('works', { saysLocks: false })
    const page = site.newPage()
    const first = make(page, () => 1000)
    await first.open(LESSON, START)
    first.running(LESSON)
    page.kill()
    const soon = make(site.newPage(), () => 1000 + LONGEST_RUN_MS)
    await soon.open(LESSON, START)
    expect(codeOf(soon).lastRunKilledTheTab).toBe(false)
    const later = make(site.newPage(), () => 1001 + LONGEST_RUN_MS)
    await later.open(LESSON, START)
    expect(codeOf(later).lastRunKilledTheTab).toBe(true)
  })
})

it('tells starts apart by their hash', () => {
  expect(hashText('')).toBe('811c9dc5')
  expect(hashText('a')).toBe('e40c292c') // FNV-1a of the byte 0x61
  expect(hashText(START)).not.toBe(hashText(`${START} `))
})
