/**
 * The run that the bench of an experiment shows, its settings, which the address holds, and what
 * starts and replaces it. A run of the experiment's lesson is shown too: under way, or as it was
 * kept.
 */
import { useEffect, useMemo, useState } from 'react'
import type { ExperimentMeta, ParamValues } from '../../../experiments/experiment'
import { createImportStore } from '../../opened-trace/store'
import { inBackground } from '../../state/in-background'
import { FIRST_RUN, runKey } from '../../state/lesson-runs'
import type { Query } from '../../state/url'
import { useLab } from '../lab-context'
import { useStore } from 'zustand'
import { loadRecording } from './load-recording'
import { benchRoute, valuesFromQuery } from './param-query'
import { useEndOnLeaving } from './use-end-on-leaving'

export function useBench(meta: ExperimentMeta, query: Query) {
  const { run: runs, route, device, importer, lessonRuns, files } = useLab()
  const { id } = meta
  const owner = `run/${id}`
  const [saved] = useState(() => createImportStore(importer, runs))
  const { importing, fault: savedFault } = useStore(saved.store)
  const parsed = useMemo(() => valuesFromQuery(meta, {}, query), [meta, query])
  const state = useStore(runs.store)
  const kept = useStore(lessonRuns.store, (all) => all.runs[runKey(id, FIRST_RUN)]) ?? null
  const isHere = state.phase !== 'idle' && (state.owner === owner || state.owner.startsWith(`lessons/${id}/`))

  useEndOnLeaving()
  useEffect(() => {
    inBackground(lessonRuns.open(id))
    return saved.cancel
  }, [lessonRuns, id, saved])

  const show = (next: ParamValues) => route.replace(benchRoute(meta, next))
  const start = (params: ParamValues) => {
    saved.cancel() // or the file would take the run's place when it has been read
    const finish = async () => {
      const ending = await runs.start({ owner, experiment: id, params })
      if (ending.status === 'done') device.adopt(ending.report.environment)
    }
    inBackground(finish())
  }
  const openSaved = ([file]: readonly File[]) => {
    if (!file) return
    inBackground(saved.open({ name: file.name, from: '', origin: 'imported', take: file, owner }))
  }
  return {
    parsed,
    run: isHere ? state : kept,
    importing,
    savedFault,
    show,
    start,
    play: () => inBackground(runs.play(owner, () => loadRecording(files, `${id}.hdl.gz`))),
    cancel: runs.cancel,
    openSaved,
    cancelSaved: saved.cancel,
  }
}
