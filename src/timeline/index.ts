/**
 * The timeline's public surface; the rest of the folder is private to it. Knows traces, not WebGPU,
 * not React.
 */
import { TimelineController } from './timeline'
import type { Timeline } from './types'

/**
 * Draws into the container, which must have a size; it is made focusable and keeps its own
 * children.
 */
export const createTimeline = (container: HTMLElement): Timeline => new TimelineController(container)

export type { DrawnPart, DrawnPath, PathOwner } from '../analysis/types'
export { CAUSES, isIdle } from '../trace/gap-causes'
export type { Gap } from '../trace/gaps'
export { clockText, describeTarget, type Description, type Fact } from './describe'
export { formatBytes, formatCount, formatDuration, formatShare, formatTime } from './format'
export { KEY_HELP, keyFor, POINTER_HELP, type KeyHelp } from './commands'
export { kindsDrawn, variantsDrawn } from './lod/trace-lod'
export { MARKS, type Hue, type Mark, type MarkName } from './marks'
export { rowKey, TABLE_COLUMNS, tableInView, type SortedColumn, type TableSort } from './table'
export type {
  AreaSelection,
  CommandName,
  SearchState,
  Target,
  Timeline,
  TimelineData,
  TimelineEvents,
  View,
  Direction,
} from './types'
