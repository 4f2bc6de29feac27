/** What may be opened: a recording, or a file of which formats. */
import { addressOf } from '../state/url'
import { Inline } from '../ui/prose/Inline'
import { BY, RECORDINGS } from '../ui/import/recordings'

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

export const RecordingList = ({ current }: { readonly current: string }) => (
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

export const WhatOpens = () => (
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
        Of several ranks choose or drop all files together
      </dd>
    </div>
  </dl>
)
