/** What the chart of machines shows: the machine's card and what a model says of it, what was recorded elsewhere, the lessons' kernels. */
import { useEffect, useMemo, useState } from 'react'
import { lessonIndex } from 'virtual:lesson-index'
import { experiments, findExperiment } from '../../experiments/metas'
import { loadLesson } from '../../lessons/load'
import { modelBeside } from '../../model/beside/client'
import type { MeasuredCard } from '../../state/card-store'
import { inBackground } from '../../state/in-background'
import type { RunFiles } from '../../state/run-files'
import type { Wait } from '../../trace/machine-costs'
import { loadRecording } from '../run/load-recording'
import { kernelLengthMs, type MachinesShown, type WorkingPoint } from './machines-figure'

/** The experiment by which waits are measured. */
const ofWaits = experiments.flatMap(({ id, calibrates }) =>
  calibrates?.of === 'waits' ? [{ id, ...calibrates }] : [],
)[0]

export const machineReferences = ofWaits ? [ofWaits.recorded.pytorch] : []

async function recordedWaits(files: RunFiles): Promise<MachinesShown['recorded']> {
  if (!ofWaits) return null
  const { report } = await loadRecording(files, ofWaits.recorded.run)
  return report && { machine: report.environment.adapterName, waits: ofWaits.read(report.metrics) }
}

async function workingPoints(): Promise<readonly WorkingPoint[]> {
  const sized = lessonIndex.flatMap(({ id }) => {
    const meta = findExperiment(id)
    return meta && kernelLengthMs(meta, {}) !== null ? [{ id, meta }] : []
  })
  const points = await Promise.all(
    sized.map(async ({ id, meta }) => {
      const lesson = await loadLesson(id)
      const kernelMs = lesson.kind === 'experiment' ? kernelLengthMs(meta, lesson.values) : null
      return kernelMs === null ? [] : [{ number: lesson.number, kernelMs }]
    }),
  )
  return points.flat()
}

/** The same run on the model of the machine. */
async function modelledWaits(own: MeasuredCard, signal: AbortSignal): Promise<readonly Wait[]> {
  if (!ofWaits) return []
  const { environment } = own.card
  const answer = await modelBeside(
    {
      whose: 'own',
      own,
      report: { experiment: ofWaits.id, params: { ...ofWaits.values, repeats: 1 }, derived: {}, environment },
      variants: [],
      cut: { steps: 1 },
    },
    signal,
  )
  return 'modelled' in answer
    ? ofWaits.read(answer.modelled.metrics.map((metric) => ({ ...metric, origin: 'derived' })))
    : []
}

/** Nothing where it cannot be had: the rest of the chart stands without. */
function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, nothing: T): T {
  const [loaded, setLoaded] = useState<{ readonly by: typeof load; readonly value: T } | null>(null)
  useEffect(() => {
    const { signal, abort } = abortable()
    inBackground(
      load(signal)
        .catch(() => nothing)
        .then((value) => {
          if (!signal.aborted) setLoaded({ by: load, value })
        }),
    )
    return abort
  }, [load, nothing])
  return loaded?.by === load ? loaded.value : nothing
}

function abortable() {
  const controller = new AbortController()
  return {
    signal: controller.signal,
    abort: () => {
      controller.abort()
    },
  }
}

const NO_POINTS: readonly WorkingPoint[] = []
const NO_WAITS: readonly Wait[] = []

export function useMachines(own: MeasuredCard | null, isMeasuring: boolean, files: RunFiles): MachinesShown {
  const recorded = useLoaded(
    useMemo(() => () => recordedWaits(files), [files]),
    null,
  )
  const lessons = useLoaded(workingPoints, NO_POINTS)
  // Never beside a measurement: another one ends the model.
  const modelled = useLoaded(
    useMemo(
      () => (signal: AbortSignal) =>
        own && !isMeasuring ? modelledWaits(own, signal) : Promise.resolve(NO_WAITS),
      [own, isMeasuring],
    ),
    NO_WAITS,
  )
  return useMemo(
    () => ({ own: own && { measured: own.waits, modelled }, recorded, lessons }),
    [own, modelled, recorded, lessons],
  )
}
