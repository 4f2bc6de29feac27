import { describe, expect, it } from 'vitest'
import { carryOut, type CommandParts } from './commands'
import { keyAction, type Action } from './keys'
import type { Target } from './types'

const TARGET: Target = { type: 'span', span: 3 }
const AREA = { startNs: 1, endNs: 2, lanes: [0] }
const FREE = { type: 'free', timeNs: 0, looseNs: 0 } as const

interface Situation {
  readonly live?: boolean
  readonly target?: Target
  readonly area?: typeof AREA
  readonly ruler?: CommandParts['measuring']['ruler']
  readonly isChainWhole?: boolean
}

/** Every call that an action makes, as 'name(arguments)'. */
function callsOf(action: Action, situation: Situation = {}): readonly string[] {
  const calls: string[] = []
  const recorder = (more: object = {}): never =>
    new Proxy(more, {
      get: (known, name) =>
        name in known
          ? (known as Record<string | symbol, unknown>)[name]
          : (...values: readonly unknown[]) =>
              calls.push(`${String(name)}(${values.map((value) => JSON.stringify(value)).join(', ')})`),
    }) as never
  carryOut(action, {
    timeline: recorder(),
    moves: recorder(),
    rulerCommands: recorder(),
    laneCommands: recorder(),
    emitter: recorder(),
    stage: { data: { live: situation.live ?? false } as never },
    selection: { target: situation.target ?? null, area: situation.area ?? null },
    measuring: { ruler: situation.ruler ?? null },
    highlights: { isChainWhole: situation.isChainWhole ?? false },
  })
  return calls
}

describe('carryOut', () => {
  it.each<[Action, string]>([
    [{ type: 'zoom', factor: 2 }, 'zoomBy(2)'],
    [{ type: 'pan', share: -0.5 }, 'panBy(-0.5)'],
    [{ type: 'step', what: 'gap', direction: -1 }, 'step("gap", -1)'],
    [{ type: 'fit' }, 'fit()'],
    [{ type: 'round' }, 'fitRound()'],
    [{ type: 'follow' }, 'setFollowing(true)'],
    [{ type: 'start' }, 'toStart()'],
    [{ type: 'end' }, 'toEnd()'],
    [{ type: 'area' }, 'toggleArea()'],
    [{ type: 'mark', where: 'pointer' }, 'mark("pointer")'],
    [{ type: 'measure-to', edge: 'end' }, 'measureTo("end")'],
    [{ type: 'pin' }, 'toggle("pin")'],
    [{ type: 'fold' }, 'toggle("fold")'],
    [{ type: 'write-note' }, 'emit("write-note")'],
    [{ type: 'ask', what: 'path' }, 'emit("ask", "path")'],
    [{ type: 'chain' }, 'setWholeChain(true)'],
  ])('%o', (action, call) => {
    expect(callsOf(action)).toEqual([call])
  })

  it('has an answer for every key', () => {
    const keys = [
      ...Array.from('wsad+-.,gGfor0FmM[]phn/eEck'),
      'ArrowUp',
      'ArrowDown',
      'Home',
      'End',
      'Escape',
      'F3',
    ]
    for (const key of keys) {
      const action = keyAction({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false })
      expect(action, key).not.toBeNull()
      if (action) expect(callsOf(action), key).not.toEqual([])
    }
  })

  it('goes to the end of a live run by following it', () => {
    expect(callsOf({ type: 'end' }, { live: true })).toEqual(['setFollowing(true)'])
  })

  it('turns the whole chain on and off', () => {
    expect(callsOf({ type: 'chain' }, { isChainWhole: true })).toEqual(['setWholeChain(false)'])
  })

  it('zooms to the target before the area, and sums up where something is measured', () => {
    const zoom: Action = { type: 'zoom-selection' }
    expect(callsOf(zoom)).toEqual([])
    expect(callsOf(zoom, { area: AREA })).toEqual([`zoomTo(${JSON.stringify(AREA)})`])
    expect(callsOf(zoom, { area: AREA, target: TARGET })).toEqual([`zoomTo(${JSON.stringify(TARGET)})`])
    expect(callsOf(zoom, { target: TARGET, ruler: { from: FREE, to: null } })).toEqual([
      `zoomTo(${JSON.stringify(TARGET)})`,
    ])
    expect(callsOf(zoom, { target: TARGET, ruler: { from: FREE, to: FREE } })).toEqual(['sumRuler()'])
  })

  it('puts the ruler away before all else', () => {
    expect(callsOf({ type: 'clear' }, { ruler: { from: FREE, to: null } })).toEqual(['clearRuler()'])
    expect(callsOf({ type: 'clear' })).toEqual(['search("")', 'select(null)', 'selectArea(null)'])
  })
})
