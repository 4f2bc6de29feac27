/** What may be opened and how: a file of one's own, or a recording. While one is read: how far it is, and the way out. */
import type { ReadingState } from '../../state/reading-store'
import { formatHash } from '../../state/url'
import { BY, RECORDINGS } from './recordings'

export const FileButton = ({
  label,
  main,
  onFiles,
}: {
  readonly label: string
  readonly main: boolean
  readonly onFiles: (files: readonly File[]) => void
}) => (
  <label className={`button file-button ${main ? 'button-main' : 'button-small'}`}>
    {label}
    {/* No list of endings: .json.gz would be shut out by most of them. */}
    <input
      type="file"
      onChange={(event) => {
        const files = [...(event.target.files ?? [])]
        event.target.value = ''
        onFiles(files)
      }}
    />
  </label>
)

export const ReadingBar = ({
  reading,
  onCancel,
}: {
  readonly reading: NonNullable<ReadingState['reading']>
  readonly onCancel: () => void
}) => {
  const { name, progress } = reading
  return (
    <div className="trace-reading" data-testid="reading">
      <p>
        Opening <strong>{name}</strong>
      </p>
      <div className="run-bar">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <progress
          className="run-progress"
          max={1}
          value={progress.fraction}
          aria-label="Progress of reading"
        />
        <span className="run-status small quiet" role="status">
          {progress.phase}
        </span>
      </div>
    </div>
  )
}

export const RecordingList = ({ current }: { readonly current: string }) => (
  <div className="trace-recordings">
    {(['torch', 'lab'] as const).map((by) => (
      <section key={by} aria-labelledby={`recordings-${by}`}>
        <h3 id={`recordings-${by}`}>{by === 'torch' ? 'From CUDA' : 'From this lab'}</h3>
        <p className="small quiet">{BY[by]}</p>
        <ul>
          {RECORDINGS.filter((entry) => entry.by === by).map(({ id, title, shows }) => (
            <li key={id}>
              <a
                href={formatHash({ page: 'trace', query: { recording: id } })}
                aria-current={current === `recording:${id}` ? 'true' : undefined}
              >
                {title}
              </a>
              <span className="small quiet">{shows}</span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)

export const WhatOpens = () => (
  <dl className="trace-formats">
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
        <code>export_chrome_trace()</code>: host threads, streams, copies, launches joined to their kernels
      </dd>
    </div>
  </dl>
)
