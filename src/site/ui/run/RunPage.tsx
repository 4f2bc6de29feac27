/**
 * The bench: one experiment with all its controls, for engineers and for the command line. Nothing
 * here waits for a prediction.
 */
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { findExperiment, type Meta } from '../../../experiments/catalog'
import type { ExperimentMeta, ParamValues } from '../../../experiments/experiment'
import { isUnderWay, type RunState } from '../../state/run-store'
import { addressOf, lessonRoute, type Query, type RouteOf } from '../../state/url'
import { lessonIndex } from 'virtual:lesson-index'
import type { Target, Timeline } from '../../../timeline'
import { FaultNotice } from '../FaultNotice'
import { Figures } from '../figure/Figures'
import { NotFoundPage } from '../NotFoundPage'
import { useLab } from '../lab-context'
import { FileButton, ImportBar } from '../import/FileButton'
import { lineOfSpan, SourcePane } from '../source/Sources'
import { useStore } from 'zustand'
import { useTitle } from '../use-title'
import { CodePair } from './CodePair'
import { MetricsTable } from './MetricsTable'
import { ParamControls } from './ParamControls'
import { benchRoute, valuesFromQuery } from './param-query'
import { RunBar } from './RunBar'
import { RunOutcome } from './RunOutcome'
import { ShareMenu } from './ShareMenu'
import { TimelineView } from './TimelineView'
import { Button } from '../Button'
import './run.css'
import './bench.css'
import { createImportStore } from '../../opened-trace/store'
import { inBackground } from '../../state/in-background'
import { FIRST_RUN, runKey } from '../../state/lesson-runs'
import { loadRecording } from './load-recording'
import { useEndOnLeaving } from './use-end-on-leaving'

/**
 * The run that the bench of an experiment shows, its settings, which the address holds, and what
 * starts and replaces it. A run of the experiment's lesson is shown too: under way, or as it was
 * kept.
 */

function useBench(meta: ExperimentMeta, query: Query) {
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
  const openSaved = ([file]: readonly [File, ...unknown[]]) =>
    inBackground(saved.open({ name: file.name, from: '', origin: 'imported', take: file, owner }))
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

const IdlePanel = lazy(async () => ({ default: (await import('../idle/IdlePanel')).IdlePanel }))

interface ControlsProps {
  readonly meta: ExperimentMeta
  /** Null: the address asks for something that cannot be run. */
  readonly values: ParamValues | null
  readonly show: (values: ParamValues) => void
}

/** On a narrow page they would push Run out of sight, so they begin folded there. */
const Controls = ({ meta, values, show }: ControlsProps) => {
  const [open, setOpen] = useState(() => window.matchMedia('(min-width: 1200px)').matches)
  return (
    <details
      className="bench-controls no-print"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Parameters</summary>
      {values && (
        <ParamControls
          params={meta.params}
          values={values}
          onChange={(name, value) => show({ ...values, [name]: value })}
        />
      )}
    </details>
  )
}

interface BenchRunProps {
  readonly meta: Meta
  readonly run: RunState
  /** Null where the address asks for what cannot be run, or there is no device. */
  readonly onAgain: (() => void) | null
  readonly onRun: ((values: ParamValues) => void) | null
}

/** The timeline, and all that is known of the run. */
const BenchRun = ({ meta, run, onAgain, onRun }: BenchRunProps) => {
  const [timeline, setTimeline] = useState<Timeline | null>(null)
  const startedAt = run.info?.startedAt
  const [selected, setSelected] = useState<{
    readonly target: Target | null
    readonly of: string | undefined
  }>()
  const onSelect = useCallback((target: Target | null) => setSelected({ target, of: startedAt }), [startedAt])
  const trace = run.placed?.trace
  // A span of another run is no span of this one.
  const lit = useMemo(
    () =>
      trace && selected?.of === startedAt && selected?.target?.type === 'span'
        ? lineOfSpan(trace, selected.target.span)
        : null,
    [trace, selected, startedAt],
  )
  return (
    <>
      <h2 className="visually-hidden">Timeline</h2>
      <TimelineView
        run={run}
        empty={isUnderWay(run.phase) ? 'The first spans are on their way.' : 'Nothing was recorded.'}
        onReady={setTimeline}
        onSelect={onSelect}
      />
      <RunOutcome run={run} onAgain={onAgain} />
      <div>
        <ShareMenu run={run} settings={benchRoute(meta, run.params)} />
      </div>
      <Suspense fallback={null}>
        <IdlePanel {...{ run, timeline, onRun }} />
      </Suspense>
      {run.phase === 'done' && (
        <>
          <Figures figures={run.report?.figures} references={meta.references} />
          {run.report && <MetricsTable meta={meta} metrics={run.report.metrics} />}
          {run.placed && <CodePair {...{ meta, run, lit }} />}
        </>
      )}
    </>
  )
}

const Bench = ({ meta, query }: { readonly meta: Meta; readonly query: Query }) => {
  const { parsed, run, importing, savedFault, show, start, ...bench } = useBench(meta, query)
  const values = parsed.ok ? parsed.value : null
  const lesson = lessonIndex.find(({ id }) => id === meta.id)
  const { phase, fault } = useStore(useLab().device.store)
  useTitle(meta.title)
  const isUnavailable = phase === 'unavailable'
  const again = values && !isUnavailable ? () => start(values) : null
  // Where the lanes would be, until there is a run: above them it would push them. A run that
  // failed by the same fault tells it itself, once.
  const notice = isUnavailable && fault && run?.fault?.message !== fault.message && (
    <FaultNotice fault={fault} />
  )

  return (
    <article className="page bench">
      <header className="page-head stack-12">
        <h1>{meta.title}</h1>
        <p className="lead">{meta.question}</p>
        {lesson && (
          <p className="small">
            <a href={addressOf(lessonRoute(lesson.id))}>
              Lesson {lesson.number}: {lesson.question}
            </a>
          </p>
        )}
      </header>
      <div className="bench-body stack">
        <Controls {...{ meta, values, show }} />
        <div className="shrinks top stack-20">
          {!parsed.ok && (
            <FaultNotice fault={parsed.error}>
              <Button look="small" label="Use the standard values" onClick={() => show({})} />
            </FaultNotice>
          )}
          {run && notice}
          <RunBar
            run={run}
            blocked={
              !values
                ? 'The address asks for something that cannot be run.'
                : isUnavailable
                  ? 'There is no device to run on.'
                  : null
            }
            onRun={() => again?.()}
            onCancel={bench.cancel}
          >
            {isUnavailable && <Button look="plain" label="Play a recorded run" onClick={bench.play} />}
            <FileButton label="Open a saved run" look="plain" onFiles={bench.openSaved} />
          </RunBar>
          {importing && <ImportBar file={importing} onCancel={bench.cancelSaved} />}
          {savedFault && <FaultNotice fault={savedFault} />}
          {run ? (
            <BenchRun
              {...{ meta, run }}
              onAgain={again}
              onRun={
                isUnavailable
                  ? null
                  : (params) => {
                      show(params)
                      start(params)
                    }
              }
            />
          ) : (
            notice || (
              <TimelineView run={null} empty="Nothing measured yet. Press Run, or open a saved run." />
            )
          )}
          {meta.sources.length > 0 && (
            <section aria-labelledby="bench-source" className="bench-source stack-12">
              <h2 id="bench-source" className="size-3">
                The shaders
              </h2>
              <SourcePane paths={meta.sources} preferred={String(values?.['kernel'] ?? '')} />
            </section>
          )}
        </div>
      </div>
    </article>
  )
}

export const RunPage = ({ route: { id, query } }: { readonly route: RouteOf<'run'> }) => {
  const meta = findExperiment(id)
  if (!meta) return <NotFoundPage what={`There is no experiment ‘${id}’.`} />
  return <Bench key={id} meta={meta} query={query} />
}
