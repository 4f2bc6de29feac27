/**
 * The timeline's surface. It draws a placed trace on a canvas and reports what the person does; it
 * knows no WebGPU, no React. Times are host nanoseconds since the trace's origin, as placed
 * (`trace/place.ts`).
 */
import type { DrawnPath } from '../analysis/types'
import type { Gap } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'

export interface Range {
  readonly startNs: number
  readonly endNs: number
}

/** The visible part of the time axis. Immutable: a gesture makes a new one. */
export type View = Range

export type Target =
  | { readonly type: 'span'; readonly span: number }
  | { readonly type: 'gap'; readonly gap: number }
  | { readonly type: 'counter'; readonly counter: number; readonly timeNs: number; readonly value: number }

export interface AreaSelection extends Range {
  /** Lane ids covered. */
  readonly lanes: readonly number[]
}

/** A search that has an answer. */
export interface SearchState {
  readonly query: string
  readonly count: number
  /** Rank of the selected one, from 1; 0: none. */
  readonly at: number
}

export interface TimelineEvents {
  /** `merged`: how many spans begin in the pixel; more than one are not drawn one by one. */
  hover: (
    target: Target | null,
    at: { readonly cssX: number; readonly cssY: number } | null,
    merged: number,
  ) => void
  select: (target: Target | null) => void
  area: (area: AreaSelection | null) => void
  view: (view: View, following: boolean) => void
  /** The rows need another height (a lane arrived, the width crossed the narrow limit). */
  layout: (contentHeightPx: number) => void
  /** What was done to lanes, for the live region; '' where nothing was. */
  lanes: (said: string) => void
  /** Null: the search has ended. */
  search: (state: SearchState | null) => void
  /** Keys ask for what the owner has: the field to search in, the critical path. */
  ask: (what: 'search' | 'path') => void
  path: (path: DrawnPath | null) => void
}

/** Names of the commands of keys and buttons: commands.ts. */
export type CommandName =
  | 'zoom'
  | 'pan'
  | 'span'
  | 'lane'
  | 'gap'
  | 'selection'
  | 'flow'
  | 'search'
  | 'found'
  | 'path'
  | 'area'
  | 'clear'
  | 'fold'
  | 'whole'
  | 'round'
  | 'follow'
/** 1: on, in, to the end; -1: back, out, to the start. */
export type Direction = 1 | -1

export interface TimelineData {
  readonly placed: PlacedTrace
  readonly gaps: readonly Gap[]
  /** True while spans still arrive: the follow mode and the 'now' edge make sense. */
  readonly live: boolean
  /** Host time of the newest evidence, ns; the 'now' edge while live. */
  readonly nowNs: number
}

export interface Timeline {
  setData: (data: TimelineData) => void
  getView: () => View
  /** Runs the command as its button does; `way` defaults to 1. */
  run: (command: CommandName, way?: Direction) => void
  /** Zooms to a span, gap or area selection. */
  zoomTo: (target: Target | AreaSelection) => void
  select: (target: Target | null) => void
  selectArea: (area: AreaSelection | null) => void
  /** Marks the spans of this name, kind, lane or submission ('#12'); '' ends it. */
  search: (query: string) => void
  /**
   * Draws a critical path of the data that are shown; new data take it away. The view moves to it
   * where none of it is seen.
   */
  showPath: (path: DrawnPath | null) => void
  on: <Name extends keyof TimelineEvents>(name: Name, listener: TimelineEvents[Name]) => () => void
  dispose: () => void
}
