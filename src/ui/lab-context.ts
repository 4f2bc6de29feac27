/** What the page is made of, handed down once by main.tsx. */
import { createContext, useContext } from 'react'
import type { DeviceStore } from '../state/device-store'
import type { KeptRunsStore } from '../state/kept-runs-store'
import type { OfflineStore } from '../state/offline-store'
import type { LessonRuns } from '../state/lesson-runs'
import type { LessonStore } from '../state/lesson-store'
import type { ReadingClient } from '../reading/client'
import type { MendStoreParts } from '../state/mend-store'
import type { Tab } from '../state/mend-run-marker'
import type { Memory } from '../state/storage'
import type { ReadingStore } from '../state/reading-store'
import type { RouteStore } from '../state/route-store'
import type { RunFiles } from '../state/run-files'
import type { RunHistory } from '../state/run-history'
import type { RunStore } from '../state/run-store'
import type { TraceTools } from '../state/trace-tools'
import type { TuningStore } from '../state/tuning-store'
import type { ViewStore } from '../state/view-store'

export interface Lab {
  readonly device: DeviceStore
  readonly run: RunStore
  readonly history: RunHistory
  readonly kept: KeptRunsStore
  readonly lessons: LessonStore
  /** The last run of each lesson and of its steps. */
  readonly lessonRuns: LessonRuns
  /** What the stores of mends are made of: ui/mend/use-mending.ts. */
  readonly mendParts: MendStoreParts & { readonly memory: Memory; readonly tab: Tab }
  readonly tuning: TuningStore
  readonly view: ViewStore
  readonly route: RouteStore
  readonly files: RunFiles
  readonly tools: TraceTools
  /** Reads files of any format, in a worker. */
  readonly reader: ReadingClient
  /** The file on the page 'trace'. */
  readonly opened: ReadingStore
  /** What is stored for use without a network. */
  readonly offline: OfflineStore
}

export const LabContext = createContext<Lab | null>(null)

export function useLab(): Lab {
  const lab = useContext(LabContext)
  if (!lab) throw new Error('useLab outside of LabContext')
  return lab
}
