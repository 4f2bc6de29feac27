/** The bench: one experiment with all its controls, for engineers and for the command line. Nothing here waits for a prediction. */
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { findExperiment } from '../../../experiments/catalog'
import type { ExperimentMeta, ParamValues } from '../../../experiments/experiment'
import { inBackground } from '../../state/in-background'
import { createImportStore } from '../../opened-trace/store'
import { isUnderWay, type RunState } from '../../state/run-store'
import type { Query, RouteOf } from '../../state/url'
import type { Timeline } from '../../../timeline'
import { FaultNotice } from '../FaultNotice'
import { Figures } from '../figure/Figures'
import { NotFoundPage } from '../NotFoundPage'
import { useLab } from '../lab-context'
import { FileButton, ImportBar } from '../import/FileButton'
import { SourcePane } from '../source/Sources'
import { useStore } from 'zustand'
import { useTitle } from '../use-title'
import { MetricsTable } from './MetricsTable'
import { ParamControls } from './ParamControls'
import { queryFromValues, valuesFromQuery } from './param-query'
import { RunOutcome } from './RunOutcome'
import { ShareMenu } from './ShareMenu'
import { TimelineView } from './TimelineView'
import { formatDuration } from '../format'
import { Button } from '../Button'
import './run.css'
import './bench.css'

/** Run, Cancel, and what the run is doing: said once in words, drawn once as a bar. */
interface RunBarProps {
  readonly run: RunState | null
  /** Why Run does not run, or null. */
  readonly blocked: string | null
  readonly onRun: () => void
  readonly onCancel: () => void
  /** Beside the key: what else can be done. */
  readonly children?: ReactNode
}

function statusText(run: RunState | null): string {
  switch (run?.phase) {
    case 'loading':
      return 'loading the recording'
    case 'starting':
      return run.progress?.message ?? 'starting'
    case 'running':
      return run.progress?.message ?? 'running'
    case 'done':
      if (run.origin !== 'live') return 'recorded run loaded'
      return run.report ? `done in ${formatDuration(run.report.durationMs)}` : 'done'
    case 'failed':
      return 'failed'
    case 'cancelled':
      return 'cancelled'
    default:
      return ''
  }
}

const RunBar = ({ run, blocked, onRun, onCancel, children }: RunBarProps) => {
  const busy = run !== null && isUnderWay(run.phase)
  const fraction = run?.progress?.fraction ?? 0
  return (
    <div className="run-bar cluster-8-12">
      {busy ? (
        <Button id="run-key" label="Cancel" onClick={onCancel} />
      ) : (
        <Button
          id="run-key"
          look={blocked === null ? 'main' : 'usual'}
          label="Run"
          isOff={blocked !== null}
          aria-describedby={blocked === null ? undefined : 'run-blocked'}
          onClick={onRun}
        />
      )}
      {children}
      {blocked !== null && !busy && (
        <span id="run-blocked" className="small quiet">
          {blocked}
        </span>
      )}
      {busy && (
        <progress className="run-progress" max={1} value={fraction} aria-label="Progress of the run">
          {`${String(Math.round(fraction * 100))} %`}
        </progress>
      )}
      {blocked === null || busy ? (
        <span className="tabular small quiet" role="status" data-phase={run?.phase ?? 'idle'}>
          {statusText(run)}
        </span>
      ) : null}
    </div>
  )
}

const IdlePanel = lazy(async () => ({ default: (await import('../idle/IdlePanel')).IdlePanel }))

const BENCH = { page: 'bench' } as const

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
      <div className="button-row no-print" role="group" aria-label="Sets of values">
        <Button look="small" label="Standard" onClick={() => show({})} />
        <Button look="small" label="Short run" onClick={() => show(meta.short)} />
      </div>
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

/** The run of this page's experiment: its settings, which the address holds, and what starts and replaces it. */
function useBench(meta: ExperimentMeta, query: Query) {
  const { run: runs, route, device, importer } = useLab()
  const owner = `run/${meta.id}`
  const [saved] = useState(() => createImportStore(importer, runs))
  const { importing, fault: savedFault } = useStore(saved.store)
  const parsed = useMemo(() => valuesFromQuery(meta, {}, query), [meta, query])
  const values = parsed.ok ? parsed.value : null
  const state = useStore(runs.store)
  const run = state.owner === owner && state.phase !== 'idle' ? state : null

  useEffect(
    () => () => {
      const left = runs.store.getState()
      if (left.owner === owner && isUnderWay(left.phase)) runs.cancel()
      saved.cancel()
    },
    [runs, owner, saved],
  )

  const show = (next: ParamValues) =>
    route.replace({ page: 'run', id: meta.id, query: queryFromValues(meta, {}, next) })
  const start = (params: ParamValues) => {
    saved.cancel() // or the file would take the run's place when it has been read
    const finish = async () => {
      const ending = await runs.start({ owner, experiment: meta.id, params })
      if (ending.status === 'done') device.adopt(ending.report.environment)
    }
    inBackground(finish())
  }
  const openSaved = ([file]: readonly File[]) => {
    if (!file) return
    inBackground(saved.open({ name: file.name, from: '', origin: 'imported', take: file, owner }))
  }
  return { parsed, values, run, importing, savedFault, show, start, openSaved, cancelSaved: saved.cancel }
}

interface BenchProps {
  readonly meta: ExperimentMeta
  readonly query: Query
}

const Bench = ({ meta, query }: BenchProps) => {
  const { parsed, values, run, importing, savedFault, show, start, ...bench } = useBench(meta, query)
  const { run: runs, device } = useLab()
  const { phase: devicePhase, fault: deviceFault } = useStore(device.store)
  useTitle(meta.title)
  const [timeline, setTimeline] = useState<Timeline | null>(null)
  const startShown = values ? () => start(values) : null
  const unavailable = devicePhase === 'unavailable'
  // Where the lanes would be, until there is a run: above them it would push them. A run that failed by the same fault tells it itself, once.
  const notice = unavailable && deviceFault && run?.fault?.message !== deviceFault.message && (
    <FaultNotice fault={deviceFault} />
  )

  return (
    <article className="page bench">
      <header className="page-head stack-12">
        <h1>{meta.title}</h1>
        <p className="lead">{meta.question}</p>
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
                : unavailable
                  ? 'There is no device to run on; saved runs can be opened.'
                  : null
            }
            onRun={() => startShown?.()}
            onCancel={runs.cancel}
          >
            <FileButton label="Open a saved run" look="plain" onFiles={bench.openSaved} />
          </RunBar>
          {importing && <ImportBar file={importing} onCancel={bench.cancelSaved} />}
          {savedFault && <FaultNotice fault={savedFault} />}
          {run && <h2 className="visually-hidden">Timeline</h2>}
          {!run && notice ? (
            notice
          ) : (
            <TimelineView
              run={run}
              empty="Nothing measured yet. Press Run, or open a saved run."
              onReady={setTimeline}
            />
          )}
          {run && <RunOutcome run={run} onAgain={unavailable ? null : startShown} />}
          {run && (
            <div>
              <ShareMenu run={run} place={BENCH} />
            </div>
          )}
          {run && (
            <Suspense fallback={null}>
              <IdlePanel
                run={run}
                timeline={timeline}
                whyNot="There is no device here to run it on."
                onRun={
                  unavailable
                    ? null
                    : (params) => {
                        show(params)
                        start(params)
                      }
                }
              />
            </Suspense>
          )}
          <Figures
            figures={run?.phase === 'done' ? run.report?.figures : undefined}
            references={meta.references}
          />
          {run?.report && <MetricsTable meta={meta} metrics={run.report.metrics} />}
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
