/**
 * Hands a trace to Perfetto's own page, in a window: nothing is uploaded, the bytes go from one
 * window of this browser to another. The handshake is Perfetto's
 * (docs/visualization/deep-linking-to-perfetto-ui): 'PING' until 'PONG', then one message with the
 * buffer.
 *
 * A cross-origin isolated page cannot do it itself: its Cross-Origin-Opener-Policy cuts it off from
 * windows of other origins. There the trace goes over a BroadcastChannel to perfetto.html, a page
 * of this site that is served without that header.
 */
export const PERFETTO_ORIGIN = 'https://ui.perfetto.dev'

export interface PerfettoTrace {
  readonly title: string
  readonly fileName: string
  /** Trace Event JSON, gzipped or not. */
  readonly buffer: ArrayBuffer
}

/** Between the lab's page and perfetto.html. */
export type RelayMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'trace'; readonly trace: PerfettoTrace }
  | { readonly kind: 'arrived' }

const ASK_EVERY_MS = 50
const PATIENCE_MS = 30_000

type Receiver = Pick<Window, 'addEventListener' | 'removeEventListener'>

/**
 * @param own this window, which hears the answers
 * @param perfetto the window that Perfetto is loading in
 * @throws where Perfetto does not answer in time
 */
export function handOver(
  own: Receiver,
  perfetto: Pick<Window, 'postMessage'>,
  { title, fileName, buffer }: PerfettoTrace,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearInterval(asking)
      clearTimeout(patience)
      own.removeEventListener('message', hear)
    }
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (source !== perfetto || origin !== PERFETTO_ORIGIN || data !== 'PONG') return
      end()
      perfetto.postMessage({ perfetto: { buffer, title, fileName } }, PERFETTO_ORIGIN)
      resolve()
    }
    own.addEventListener('message', hear)
    // Until its page is there, messages for it go nowhere.
    const asking = setInterval(() => perfetto.postMessage('PING', PERFETTO_ORIGIN), ASK_EVERY_MS)
    const patience = setTimeout(() => {
      end()
      reject(
        new Error(
          'Perfetto did not answer. Save the run as .json.gz and open that there; without a network it cannot be reached.',
        ),
      )
    }, PATIENCE_MS)
  })
}

/**
 * The same over a channel, for the page on the other side of it: resolves when the other page has
 * the trace.
 */
function relay(channel: BroadcastChannel, trace: PerfettoTrace): Promise<void> {
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => {
      channel.close()
      reject(
        new Error('The page that hands over to Perfetto did not open. Are pop-ups blocked for this page?'),
      )
    }, PATIENCE_MS)
    channel.onmessage = ({ data }: MessageEvent<RelayMessage>) => {
      if (data.kind === 'ready') channel.postMessage({ kind: 'trace', trace } satisfies RelayMessage)
      if (data.kind !== 'arrived') return
      clearTimeout(patience)
      channel.close()
      resolve()
    }
  })
}

/**
 * From the lab's page, in answer to a click. Resolves with what has happened, in words.
 * @throws where a window was blocked, or nobody answered
 */
export async function openInPerfetto(trace: PerfettoTrace): Promise<string> {
  if (!globalThis.crossOriginIsolated) {
    const perfetto = globalThis.open(PERFETTO_ORIGIN)
    if (!perfetto) throw new Error('The browser did not open a window: pop-ups are blocked for this page.')
    await handOver(globalThis.window, perfetto, trace)
    return 'Perfetto has the run, in a window of its own'
  }
  // Nobody else can guess the channel's name, and another run's page has another.
  const name = `perfetto-${crypto.randomUUID()}`
  const arrived = relay(new BroadcastChannel(name), trace)
  // Isolated pages get no handle to a window with another policy; asking for none says so.
  globalThis.open(`./perfetto.html#${name}`, '_blank', 'noopener')
  await arrived
  return 'Another page has the run, and hands it to Perfetto'
}
