/**
 * The script of perfetto.html: takes a run from the lab's page over a channel and hands it to
 * Perfetto when asked to. No logic of its own.
 */
import './ui/theme.css'
import './ui/fonts.css'
import './ui/base.css'
import { handOver, PERFETTO_ORIGIN, type PerfettoTrace, type RelayMessage } from './state/perfetto'

const said = document.getElementById('said')
const button = document.getElementById('open')
const say = (text: string): void => {
  if (said) said.textContent = text
}

let trace: PerfettoTrace | null = null
const channel = new BroadcastChannel(location.hash.slice(1))
channel.onmessage = ({ data }: MessageEvent<RelayMessage>) => {
  if (data.kind !== 'trace') return
  trace = data.trace
  channel.postMessage({ kind: 'arrived' } satisfies RelayMessage)
  channel.close()
  say(`${trace.title} is here.`)
  button?.removeAttribute('disabled')
  button?.focus()
}
channel.postMessage({ kind: 'ready' } satisfies RelayMessage)

button?.addEventListener('click', () => {
  if (!trace) return
  if (globalThis.crossOriginIsolated) {
    say(
      'The host of this site isolates this page as well, so it cannot speak to Perfetto. Save the run as .json.gz and open that there.',
    )
    return
  }
  const perfetto = globalThis.open(PERFETTO_ORIGIN)
  if (!perfetto) {
    say('The browser did not open a window: pop-ups are blocked for this page.')
    return
  }
  say('Waiting for Perfetto …')
  handOver(globalThis.window, perfetto, trace).then(
    () => say('Perfetto has the run. This page can be closed.'),
    (thrown: unknown) => say(thrown instanceof Error ? thrown.message : String(thrown)),
  )
})
