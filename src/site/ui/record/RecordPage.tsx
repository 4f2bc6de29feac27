/**
 * How any page's WebGPU is recorded: by a command, or by a script in the page; a trial of the
 * script here, and what neither can see.
 */
import { Fragment, useState } from 'react'
import { adapter, failIf, isSoftware, repository, text } from 'virtual:recorded-page'
import { addressOf } from '../../state/url'
import { CopyText } from '../source/CopyButton'
import { useTitle } from '../use-title'
import { libraries } from 'virtual:library-recordings'
import '../teachers/teachers.css'
import './record.css'
import { toFault, type Fault } from '../../../base/fault'
import { inBackground } from '../../state/in-background'
import { FaultNotice } from '../FaultNotice'
import { useLazyLab, useShell } from '../lab-context'
import { CodeView } from '../source/CodeView'
import { useStore } from 'zustand'
import { lines } from './programs/trial.js?highlight'
// oxlint-disable-next-line import/default -- the file's address
import program from './programs/trial.js?url&no-inline'
import recording from './recorded/run.hdl.gz?url&no-inline'
import { Button } from '../Button'

/**
 * recorder.js on this very page: a small program with a wait in each step. The page 'trace' shows
 * what was recorded of it.
 */

/** A module that is a file of the site. @param address from the site's root, or whole */
const loadScript = (address: string): Promise<unknown> =>
  import(/* @vite-ignore */ new URL(address, document.baseURI).href)

/** What of them is called: neither is a module of the page's own. */
interface Recorder {
  readonly start: () => void
  readonly stop: () => Promise<void>
  readonly save: () => Promise<Blob>
}
interface Program {
  /** The last number that came back. */
  readonly trial: () => Promise<number>
}
/** Its twelfth step begins with 11, and the kernel adds 1 four times. */
const LAST = 11 + 4

async function recorded(): Promise<Blob> {
  const { start, stop, save } = (await loadScript('recorder.js')) as Recorder
  const { trial } = (await loadScript(program)) as Program
  start()
  try {
    const last = await trial()
    if (last !== LAST)
      throw new Error(`The last number is ${String(last)} instead of ${String(LAST)}, so nothing is shown.`)
  } finally {
    await stop()
  }
  return await save()
}

async function kept(): Promise<Blob> {
  const answer = await fetch(recording)
  if (!answer.ok) throw new Error(`The recording could not be loaded: ${String(answer.status)}.`)
  return await answer.blob()
}

const Trial = () => {
  const { load: loadLab } = useLazyLab()
  const { device, route } = useShell()
  const isUnavailable = useStore(device.store, ({ phase }) => phase === 'unavailable')
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const open = async (name: string, origin: 'live' | 'recorded', take: () => Promise<Blob>) => {
    setIsBusy(true)
    setFault(null)
    try {
      const [file, { opened }] = await Promise.all([take(), loadLab()])
      route.go({ page: 'trace', query: {} })
      await opened.open({ name, from: '', origin, take: file })
    } catch (thrown) {
      setFault(toFault(thrown))
    }
    setIsBusy(false)
  }
  return (
    <section aria-labelledby="record-trial" className="stack-16" data-testid="trial">
      <h2 id="record-trial">Try it here</h2>
      <div className="record-parts stack">
        <div className="stack-16">
          <p>
            The program trial.js writes, dispatches and reads back, step by step, and awaits each result.
            recorder.js records it on this page, with your device.
          </p>
          {isUnavailable && (
            <p data-testid="no-trial">This browser has no WebGPU here, so the program cannot run.</p>
          )}
          <div className="button-row">
            {!isUnavailable && (
              <Button
                look="main"
                label="Run and record it"
                disabled={isBusy}
                onClick={() => inBackground(open('this page’s trial', 'live', recorded))}
              />
            )}
            <Button
              label="Open a recording"
              disabled={isBusy}
              onClick={() => inBackground(open(`the trial, recorded on ${adapter}`, 'recorded', kept))}
            />
          </div>
          <p className="small quiet">
            The recording is from {adapter}
            {isSoftware && ', which is software on a processor'}.
          </p>
          {fault && <FaultNotice fault={fault} />}
        </div>
        <CodeView title="trial.js" lines={lines} />
      </div>
    </section>
  )
}

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
