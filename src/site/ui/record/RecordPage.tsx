/**
 * How any page's WebGPU is recorded: by a command, or by a script in the page; a trial of the
 * script here, and what neither can see.
 */
import { Fragment } from 'react'
import { adapter, failIf, repository, text } from 'virtual:recorded-page'
import { addressOf } from '../../state/url'
import { CopyText } from '../source/CopyButton'
import { useTitle } from '../use-title'
import { Trial } from './Trial'
import { libraries } from 'virtual:library-recordings'
import '../teachers/teachers.css'
import './record.css'

/** Programs that nobody here wrote, which the command recorded. */
const Libraries = () =>
  libraries.length === 0 ? null : (
    <p data-testid="record-libraries">
      Pages of other libraries, recorded with it:{' '}
      {libraries.map(({ id, title }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <a href={addressOf({ page: 'trace', query: { recording: id } })}>{title}</a>
        </Fragment>
      ))}
      .
    </p>
  )

/** Wherever the site lies; not known while it is built. */
const site = (): string => (typeof document === 'undefined' ? './' : document.baseURI)

const CLONE = repository === '' ? '' : `git clone ${repository} && cd ${repository.split('/').at(-1) ?? ''}\n`
const COMMAND = `${CLONE}npm run lab -- record https://your.site/page --until "globalThis.isDone" --fail-if "${failIf}"`

const tagFor = (lab: string): string => `<script type="module">
  import { start, mark, openInLab } from './recorder.js'
  start() // before the page asks for its device
  await import('./your-page.js')
  mark('loaded')
  const button = document.body.appendChild(document.createElement('button'))
  button.textContent = 'Show what was recorded'
  button.onclick = () => openInLab('${lab}') // it ends the recording
</script>`

const Command = () => (
  <section aria-labelledby="record-command" className="stack-16">
    <h2 id="record-command">With a command</h2>
    <p>
      {repository === '' ? (
        'In a clone of the lab.'
      ) : (
        <>
          In a clone of <a href={repository}>{repository.replace(/^https?:\/\//, '')}</a>, which the command’s
          first line makes.
        </>
      )}{' '}
      Chromium opens the page without a window and records it from its first line on: its frames, including
      those of other sites, and its workers. The page needs no change.
    </p>
    <CopyText label="The command" text={COMMAND} what="command" rows={repository === '' ? 3 : 4} />
    <p>
      <code>--fail-if</code> holds the page to a budget in continuous integration. It writes{' '}
      <code>run.hdl.gz</code>, <code>trace.json</code> and <code>report.json</code>.
    </p>
    <figure className="stack-8">
      <figcaption className="small quiet">What it printed for the program above, on {adapter}.</figcaption>
      <pre className="code code-plain panel record-printed breaks">{text}</pre>
    </figure>
    <Libraries />
  </section>
)

const Script = () => (
  <section aria-labelledby="record-script" className="stack-16">
    <h2 id="record-script">With a script in your page</h2>
    <p>
      <a href="./recorder.js" download>
        recorder.js
      </a>{' '}
      is one file, and{' '}
      <a href="./recorder.d.ts" download>
        recorder.d.ts
      </a>{' '}
      has its types. Put it next to your page. Nothing is patched until <code>start()</code>. After{' '}
      <code>stop()</code> everything is as before.
    </p>
    <CopyText label="As a script tag" text={tagFor(site())} what="script tag" rows={11} />
    <p>
      <code>openInLab()</code> opens a window of the lab and hands the recording over. Nothing is uploaded.
      Call it from a click. An isolated page and a worker <code>save()</code> a file instead, for{' '}
      <a href={addressOf({ page: 'trace', query: {} })}>Open a trace</a>.
    </p>
    <p>
      As a package: <code>npm run build</code> in a clone of the lab, then <code>npm pack</code> in{' '}
      <code>dist-recorder/</code>.
    </p>
  </section>
)

const LIMITS: readonly (readonly [heading: string, text: string])[] = [
  [
    'Single draws and dispatches',
    'They are counted. The smallest piece of work that has a time of its own is a pass.',
  ],
  [
    'Devices without timestamps',
    'Pass times need the feature timestamp-query. A device that was made before start() has it only if the page asked for it. Without it, the device has no lane.',
  ],
  [
    'Passes with timestamps of their own',
    'They keep those of the page, and get no others. Their times are read when the page resolves them. Where it does not, they have none.',
  ],
  [
    'Frames and workers',
    'recorder.js records only the page or worker that loads it. The command records all of them, shared workers too, and writes a file for each.',
  ],
  [
    'A page that is left',
    'The command keeps what the page did until it was last asked. recorder.js keeps nothing of it.',
  ],
  [
    'Other work on the GPU',
    'Other pages, WebGL and the browser’s own drawing are not recorded. They make passes longer, and the recording does not say so.',
  ],
  [
    'Browsers',
    'The command drives only Chromium. recorder.js uses only what the WebGPU specification has, and is tested in Chromium and Firefox.',
  ],
]

const Limits = () => (
  <section aria-labelledby="record-limits" className="stack-16">
    <h2 id="record-limits">What cannot be seen</h2>
    <dl className="record-limits stack">
      {LIMITS.map(([heading, limit]) => (
        <div key={heading}>
          <dt className="bold">{heading}</dt>
          <dd>{limit}</dd>
        </div>
      ))}
    </dl>
  </section>
)

export const RecordPage = () => {
  useTitle('Record your own page')
  return (
    <article className="page record stack">
      <header className="stack-12">
        <h1>Record your own page</h1>
        <p className="lead">
          A page’s WebGPU on one timeline: host, queue, staging buffers and device, and each wait with its
          line of JavaScript.
        </p>
      </header>
      <Trial />
      <div className="record-parts stack">
        <Command />
        <Script />
      </div>
      <Limits />
    </article>
  )
}
