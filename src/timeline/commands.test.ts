import { describe, expect, it } from 'vitest'
import { KEY_HELP, keyFor, runCommand, type CommandParts, commandOfKey } from './commands'
import type { Target } from './types'

const TARGET: Target = { type: 'span', span: 3 }
const AREA = { startNs: 1, endNs: 2, lanes: [0] }
const VIEW = { startNs: 0, endNs: 9 }

interface Situation {
  readonly live?: boolean
  readonly following?: boolean
  readonly target?: Target
  readonly area?: typeof AREA
}

/** Every call that a command makes, as 'name(arguments)'. */
function callsOf(run: (parts: CommandParts) => void, situation: Situation = {}): readonly string[] {
  const calls: string[] = []
  const recorder = (more: object = {}): never =>
    new Proxy(more, {
      get: (known, name) =>
        name in known
          ? (known as Record<string | symbol, unknown>)[name]
          : (...values: readonly unknown[]) =>
              calls.push(`${String(name)}(${values.map((value) => JSON.stringify(value)).join(', ')})`),
    }) as never
  run({
    timeline: recorder(),
    moves: recorder(),
    toggleFold: () => calls.push('toggle()'),
    emitter: recorder(),
    viewModel: {
      data: { live: situation.live ?? false } as never,
      camera: recorder({ following: situation.following ?? false, view: VIEW }),
      laneIds: [0, 1],
    },
    selection: { target: situation.target ?? null, area: situation.area ?? null },
  })
  return calls
}

const NO_MODIFIERS = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false }
const press = (key: string, modifiers: Partial<typeof NO_MODIFIERS> = {}) =>
  commandOfKey({ key, ...NO_MODIFIERS, ...modifiers })

const pressed = (key: string, situation?: Situation, modifiers?: Partial<typeof NO_MODIFIERS>) => {
  const command = press(key, modifiers)
  if (!command) throw new Error(`${key} does nothing`)
  return callsOf(command.run, situation)
}

/** Keys as the help writes them. */
const EVENT_KEYS: Readonly<Record<string, string>> = {
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  Esc: 'Escape',
}
/** The page's own. */
const OF_PAGE = ['t', '?']

describe('keys', () => {
  it.each([
    ['.', 'step("span", 1)'],
    ['>', 'step("span", 1)'],
    [',', 'step("span", -1)'],
    ['<', 'step("span", -1)'],
    ['g', 'step("gap", 1)'],
    ['G', 'step("gap", -1)'],
    ['ArrowUp', 'step("lane", -1)'],
    ['ArrowDown', 'step("lane", 1)'],
    ['e', 'step("flow", 1)'],
    ['E', 'step("flow", -1)'],
    ['F3', 'step("found", 1)'],
    ['0', 'fit()'],
    ['f', 'fit()'],
    ['o', 'fitRound()'],
    ['F', 'fit()'],
    ['h', 'toggle()'],
    ['/', 'emit("ask", "search")'],
    ['k', 'emit("ask", "path")'],
  ])('%s', (key, call) => expect(pressed(key)).toEqual([call]))

  it('zoom and pan, each undone by its opposite, with Shift faster', () => {
    const amount = (key: string, shiftKey = false) => {
      const [call = ''] = pressed(key, {}, { shiftKey })
      const [, name, value] = /^(\w+)\((.*)\)$/.exec(call) ?? []
      return { name, value: Number(value) }
    }
    for (const [into, out] of [
      ['w', 's'],
      ['W', 'S'],
      ['+', '-'],
      ['=', '_'],
    ] as const) {
      expect(amount(into)).toMatchObject({ name: 'zoomBy' })
      expect(amount(into).value).toBeGreaterThan(1)
      expect(amount(into).value * amount(out).value).toBeCloseTo(1)
    }
    for (const [back, on] of [
      ['a', 'd'],
      ['ArrowLeft', 'ArrowRight'],
    ] as const) {
      expect(amount(on)).toMatchObject({ name: 'panBy' })
      expect(amount(on).value).toBeGreaterThan(0)
      expect(amount(back).value + amount(on).value).toBeCloseTo(0)
      expect(amount(on, true).value).toBeCloseTo(3 * amount(on).value)
    }
    expect(amount('W', true).value).toBeCloseTo(amount('W').value ** 3)
    expect(amount('+', true), 'Shift is how it is typed').toEqual(amount('+'))
    expect(pressed('F3', {}, { shiftKey: true })).toEqual(['step("found", -1)'])
  })

  it('leaves chords, Tab and Space to the browser, but for the one that searches', () => {
    for (const key of ['Tab', ' ', 'PageDown', 'x', 'X', 'O']) expect(press(key)).toBeNull()
    expect(press('f', { ctrlKey: true, shiftKey: true })).toBeNull()
    expect(press('c', { ctrlKey: true })).toBeNull()
    expect(press('w', { metaKey: true })).toBeNull()
    expect(press('ArrowLeft', { altKey: true })).toBeNull()
    expect(press('f', { ctrlKey: true })?.name).toBe('search')
    expect(press('f', { metaKey: true })?.name).toBe('search')
  })

  it('are explained once each, as what they do', () => {
    const explained = KEY_HELP.flatMap(({ keys }) => keys)
    expect(new Set(explained).size).toBe(explained.length)
    const ascii = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index))
    const bound = [...ascii, ...Object.values(EVENT_KEYS), 'F3', 'Enter'].filter((key) => press(key) !== null)
    const named = new Set(explained.map((key) => press(EVENT_KEYS[key] ?? key)?.name))
    expect(bound.filter((key) => !named.has(press(key)?.name))).toEqual([])
    expect(bound.length).toBeGreaterThan(30)
    for (const key of explained)
      expect(press(EVENT_KEYS[key] ?? key) !== null, key).toBe(!OF_PAGE.includes(key))
  })
})

describe('commands', () => {
  it('do from a button what their key does, and say which key that is', () => {
    expect(callsOf((parts) => runCommand(parts, 'gap', -1))).toEqual(['step("gap", -1)'])
    expect(keyFor('gap', -1)).toBe('G')
    expect(callsOf((parts) => runCommand(parts, 'found', -1))).toEqual(['step("found", -1)'])
  })

  it('follow: a button turns it off too', () => {
    const live = true
    const follow = (following: boolean) =>
      callsOf((parts) => runCommand(parts, 'follow'), { live, following })
    expect(follow(false)).toEqual(['follow(true)'])
    expect(follow(true)).toEqual(['follow(false)'])
    expect(pressed('F', { live, following: true })).toEqual(['follow(true)'])
  })

  it('zoom to the target before the area', () => {
    for (const key of ['Enter', 'f']) {
      expect(pressed(key)).toEqual(['fit()'])
      expect(pressed(key, { area: AREA })).toEqual([`zoomTo(${JSON.stringify(AREA)})`])
      expect(pressed(key, { area: AREA, target: TARGET })).toEqual([`zoomTo(${JSON.stringify(TARGET)})`])
    }
  })

  it('clear whatever is marked', () =>
    expect(pressed('Escape')).toEqual(['search("")', 'select(null)', 'selectArea(null)']))

  it('sum up the view over all lanes, and take the area away again', () => {
    const area = { ...VIEW, lanes: [0, 1] }
    expect(pressed('r')).toEqual([`selectArea(${JSON.stringify(area)})`])
    expect(pressed('r', { area })).toEqual(['selectArea(null)'])
  })

  it('sum up from the area that is there to what is looked at now', () => {
    const area = { startNs: 5, endNs: 12, lanes: [0] }
    expect(pressed('R', { area })).toEqual([
      `selectArea(${JSON.stringify({ startNs: 0, endNs: 12, lanes: [0, 1] })})`,
    ])
  })
})
