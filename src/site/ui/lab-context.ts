/**
 * What the page is made of, handed down once by main.tsx: what each page shows from the start, and
 * the rest of the lab, loaded on demand: `LazyLab` is loaded by the pages that need it, and by the
 * others when they have been drawn.
 */
import { createContext, use, useContext } from 'react'
import { createStore, type StoreApi } from 'zustand'
import { loadOnce } from '../../base/load-once'
import type { DeviceStore } from '../state/device-store'
import type { LessonRuns } from '../state/lesson-runs'
import { EMPTY_PROGRESS, type LessonProgress, type LessonStore } from '../state/lesson-store'
import type { ImportClient } from '../import-worker/client'
import type { ExerciseStoreParts } from '../exercise/store'
import type { OfflineStore } from '../state/offline-store'
import type { ImportStore } from '../opened-trace/store'
import type { RouteStore } from '../state/route-store'
import type { RunFiles } from '../state/run-files'
import type { RunStore } from '../state/run-store'
import type { ViewStore } from '../state/view-store'
import { useStore } from 'zustand'

/** What is round every page, and on the home page. */
export interface Shell {
  readonly device: DeviceStore
  readonly lessons: LessonStore
  readonly view: ViewStore
  readonly route: RouteStore
  readonly offline: OfflineStore
}

export interface AppContext extends Shell {
  readonly run: RunStore
  /** The last run of each lesson and of its steps. */
  readonly lessonRuns: LessonRuns
  /** Parts of the store of exercises, which is made when the first is opened. */
  readonly exerciseParts: ExerciseStoreParts
  readonly files: RunFiles
  /** Reads files of any format, in a worker. */
  readonly importer: ImportClient
  /** The file on the page 'trace'. */
  readonly opened: ImportStore
}

export interface LazyLab {
  readonly shell: Shell
  /** Null until it has been loaded. */
  readonly store: StoreApi<{ readonly lab: AppContext | null }>
  /** The same promise for every call, until it fails. */
  readonly load: () => Promise<AppContext>
}

/** @param make loads and makes the rest of the lab; called once, and again where it failed */
export function createLazyLab(shell: Shell, make: () => Promise<AppContext>): LazyLab {
  const store = createStore<{ readonly lab: AppContext | null }>(() => ({ lab: null }))
  const { load } = loadOnce(async () => {
    const lab = await make()
    store.setState({ lab })
    return lab
  })
  return { shell, store, load: () => load('lab') }
}

/** That of a lab that is there: for a part of a page that has one of its own. */
export function resolvedLab(lab: AppContext): LazyLab {
  const loaded = Object.assign(Promise.resolve(lab), { status: 'fulfilled', value: lab })
  return { shell: lab, store: createStore(() => ({ lab })), load: () => loaded }
}

export const LabContext = createContext<LazyLab | null>(null)

export function useLazyLab(): LazyLab {
  const lazyLab = useContext(LabContext)
  if (!lazyLab) throw new Error('useLazyLab outside of LabContext')
  return lazyLab
}

export const useShell = (): Shell => useLazyLab().shell

/** The visitor's progress in a lesson. */
export const useProgress = (lesson: string): LessonProgress =>
  useStore(useShell().lessons.store, (all) => all.lessons[lesson]) ?? EMPTY_PROGRESS

/** Null while nothing has asked for it. */
export const useLoadedLab = (): AppContext | null => useStore(useLazyLab().store, ({ lab }) => lab)

/** Suspends while it is loaded. */
export function useLab(): AppContext {
  // At once where it is there: base/load-once.ts.
  return use(useLazyLab().load())
}
