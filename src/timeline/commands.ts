/** What keys do: each action of keys.ts as a call. The public surface where a button does the same, else the part that can. */
import type { Emitter } from './emitter'
import type { Highlights } from './highlights'
import { keyAction, type Action } from './keys'
import type { LaneCommands } from './lane-commands'
import type { Measuring } from './measuring'
import type { Moves } from './moves'
import type { RulerCommands } from './ruler-commands'
import type { Selection } from './selection'
import type { Stage } from './stage'
import type { Timeline } from './types'

export interface CommandParts {
  readonly timeline: Pick<
    Timeline,
    | 'clearRuler'
    | 'search'
    | 'select'
    | 'selectArea'
    | 'setFollowing'
    | 'setWholeChain'
    | 'step'
    | 'sumRuler'
    | 'zoomTo'
  >
  readonly stage: Pick<Stage, 'data'>
  readonly moves: Pick<Moves, 'fit' | 'fitRound' | 'panBy' | 'toEnd' | 'toStart' | 'zoomBy'>
  readonly selection: Pick<Selection, 'target' | 'area'>
  readonly measuring: Pick<Measuring, 'ruler'>
  readonly rulerCommands: Pick<RulerCommands, 'mark' | 'measureTo' | 'toggleArea'>
  readonly laneCommands: Pick<LaneCommands, 'toggle'>
  readonly highlights: Pick<Highlights, 'isChainWhole'>
  readonly emitter: Pick<Emitter, 'emit'>
}

export function carryOut(action: Action, parts: CommandParts): void {
  const { timeline, moves, rulerCommands } = parts
  switch (action.type) {
    case 'zoom':
      moves.zoomBy(action.factor)
      break
    case 'pan':
      moves.panBy(action.share)
      break
    case 'step':
      timeline.step(action.what, action.direction)
      break
    case 'fit':
      moves.fit()
      break
    case 'round':
      moves.fitRound()
      break
    case 'follow':
      timeline.setFollowing(true)
      break
    case 'end':
      if (parts.stage.data?.live) timeline.setFollowing(true)
      else moves.toEnd()
      break
    case 'start':
      moves.toStart()
      break
    case 'zoom-selection':
      zoomToSelection(parts)
      break
    case 'area':
      rulerCommands.toggleArea()
      break
    case 'mark':
      rulerCommands.mark(action.where)
      break
    case 'measure-to':
      rulerCommands.measureTo(action.edge)
      break
    case 'pin':
    case 'fold':
      parts.laneCommands.toggle(action.type)
      break
    case 'write-note':
      parts.emitter.emit('write-note')
      break
    case 'ask':
      parts.emitter.emit('ask', action.what)
      break
    case 'chain':
      timeline.setWholeChain(!parts.highlights.isChainWhole)
      break
    case 'clear':
      clear(parts)
      break
  }
}

/** While measuring: what is measured is summed up. */
function zoomToSelection({ timeline, measuring, selection }: CommandParts): void {
  const what = selection.target ?? selection.area
  if (measuring.ruler?.to) timeline.sumRuler()
  else if (what) timeline.zoomTo(what)
}

/** One thing after the other: first the ruler, then all that is selected and marked. */
function clear({ timeline, measuring }: CommandParts): void {
  if (measuring.ruler) {
    timeline.clearRuler()
    return
  }
  timeline.search('')
  timeline.select(null)
  timeline.selectArea(null)
}

/** Attaches the listener; returns what removes it. Keys pressed in what lies inside the element are not the timeline's. */
export function attachKeys(element: HTMLElement, parts: CommandParts): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== element) return
    const action = keyAction(event)
    if (!action) return
    event.preventDefault()
    carryOut(action, parts)
  }
  element.addEventListener('keydown', onKey)
  return () => {
    element.removeEventListener('keydown', onKey)
  }
}
