/**
 * Any trace file, or those of several ranks, by choice, drop, paste or address: read in a worker,
 * shown with the analysis of the command line.
 */
import { useCallback, useEffect } from 'react'
import { GIVEN, givenFile } from './incoming-file'
import { inBackground } from '../state/in-background'
import { type OpenRequest, TRACE_OWNER } from './store'
import { addressOf, type RouteOf } from '../state/url'
import { FaultNotice } from '../ui/FaultNotice'
import { useLab } from '../ui/lab-context'
import { useStore } from 'zustand'
import { FileDoor, ImportBar } from '../ui/import/FileButton'
import { useTitle } from '../ui/use-title'
import { ProfilerLines } from '../ui/import/ProfilerLines'
import { BY, fetchRecording, findRecording, RECORDINGS } from '../ui/import/recordings'
import { ShownTrace } from './ShownTrace'
import { preloadTimeline } from '../ui/run/TimelineView'
import { Inline } from '../ui/prose/Inline'
import '../ui/run/run.css'
import './trace.css'

/** What may be opened: a recording, or a file of which formats. */
const HEADINGS = {
  torch: 'From CUDA',
  lab: 'From this lab',
  libraries: 'From other libraries',
  programs: 'Find the line',
} as const

/** Those of which there is a recording. */
const GROUPS = (['torch', 'lab', 'libraries', 'programs'] as const).filter((by) =>
  RECORDINGS.some((entry) => entry.by === by),
)

const RecordingList = ({ current }: { readonly current: string }) => (
  <div className="trace-recordings stack">
    {GROUPS.map((by) => (
      <section key={by} aria-labelledby={`recordings-${by}`}>
        <h3 id={`recordings-${by}`}>{HEADINGS[by]}</h3>
        <p className="small quiet">{BY[by]}</p>
        <ul className="stack-12">
          {RECORDINGS.filter((entry) => entry.by === by).map(({ id, title, shows }) => (
            <li key={id} className="stack-2">
              <a
                href={addressOf({ page: 'trace', query: { recording: id } })}
                aria-current={current === `recording:${id}` ? 'true' : undefined}
              >
                {title}
              </a>
              <span className="small quiet">
                <Inline text={shows} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)

const WhatOpens = () => (
  <dl className="help-list trace-formats stack-12">
    <div>
      <dt>Runs of this lab</dt>
      <dd>
        <code>.hdl</code>, <code>.hdl.gz</code>
      </dd>
    </div>
    <div>
      <dt>Trace Event JSON</dt>
      <dd>
        <code>.json</code>, <code>.json.gz</code>: Chrome’s tracing and Performance panel, what Perfetto and
        others export
      </dd>
    </div>
    <div>
      <dt>torch.profiler</dt>
      <dd>
        <code>export_chrome_trace()</code>: host threads, streams, copies, launches joined to their kernels.
        For several ranks, choose or drop all files together
      </dd>
    </div>
  </dl>
)

/** What the address asks for; null: nothing. */
function addressed(recording: string | undefined, given: string | undefined): OpenRequest | null {
  if (given !== undefined)
    return {
      name: 'a recording from another page',
      from: `given:${given}`,
      origin: 'imported',
      take: () => givenFile(given),
    }
  if (recording !== undefined) {
    const { files, stepMs } = findRecording(recording) ?? { files: [recording] }
    return {
      name: files.map((file) => file.replace('profiles/', '')).join(', '),
      stepMs,
      from: `recording:${recording}`,
      origin: 'recorded',
      take: (signal) => fetchRecording(recording, signal),
    }
  }
  return null
}

export const TracePage = ({ route: { query } }: { readonly route: RouteOf<'trace'> }) => {
  const lab = useLab()
  const { opened } = lab
  const { importing, fault, shown } = useStore(opened.store)
  const run = useStore(lab.run.store)
  const file = run.owner === TRACE_OWNER && shown?.trace.spans === run.placed?.trace.spans ? shown : null
  useTitle(file ? file.name : 'Open a trace')

  useEffect(preloadTimeline, [])

  const { recording, [GIVEN]: givenKey } = query
  useEffect(() => {
    const request = addressed(recording, givenKey)
    const { shown: last } = opened.store.getState()
    const isShown =
      last?.from === request?.from && last?.trace.spans === lab.run.store.getState().placed?.trace.spans
    if (request && !isShown) inBackground(opened.open(request))
  }, [lab, opened, recording, givenKey])
  // Whoever leaves while a file is read has not waited for it.
  useEffect(() => () => opened.cancel(), [opened])

  const again = useCallback(() => inBackground(opened.again()), [opened])
  const calibrate = useCallback((stepMs: number | null) => inBackground(opened.calibrate(stepMs)), [opened])

  return (
    <article className="page trace-page top stack-24">
      <header className="trace-head stack-4">
        <h1 data-file={file ? '' : undefined}>{file ? file.name : 'Open a trace'}</h1>
        {!file && (
          <p className="lead">Why the GPU was idle in your profile: a verdict first, then the timeline.</p>
        )}
      </header>
      {importing && <ImportBar file={importing} onCancel={opened.cancel} />}
      {fault && <FaultNotice fault={fault} />}
      {file ? (
        <>
          <ShownTrace
            key={file.from + file.name}
            file={file}
            run={run}
            isReading={importing !== null}
            onAgain={again}
            onStepMs={calibrate}
          >
            <FileDoor label="Open another" look="small" />
          </ShownTrace>
          <details>
            <summary className="bold">Recordings to compare with</summary>
            <RecordingList current={file.from} />
          </details>
        </>
      ) : (
        <div className="trace-open stack">
          <div className="drop-box start stack-16">
            <FileDoor label="Choose files" look="main" />
            <p className="small quiet">
              or drop them (or their folder) anywhere on this page, or paste them. One profile, or those of
              all ranks of a run.
            </p>
            <p className="bold">Files stay on this machine: nothing is uploaded.</p>
            <details className="small">
              <summary>What can be opened</summary>
              <WhatOpens />
            </details>
          </div>
          <ProfilerLines />
          <p className="small">
            A page with WebGPU? <a href={addressOf({ page: 'record' })}>Record your own page</a>
          </p>
          <section className="trace-samples" aria-labelledby="recordings-title">
            <h2 id="recordings-title">Or open a recording</h2>
            <RecordingList current="" />
          </section>
        </div>
      )}
    </article>
  )
}
