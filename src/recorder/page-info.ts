/** What is known of a recorded page beside its work on devices: the run's `RunInfo`. */
import { RECORDED_PAGE, type RunInfo } from '../trace/schema'
import type { CallSites } from './call-sites'
import { classOf } from './counts'
import { promiseThen, react } from './realm'
import type { SpanWriter } from './span-writer'
import { callOriginal, patchNamed, type Patch } from './patches'

export const pageInfo = (): RunInfo => ({
  experiment: RECORDED_PAGE,
  params: { url: location.href, in: 'document' in globalThis ? 'page' : 'worker' },
  derived: {},
  adapter: null,
  userAgent: navigator.userAgent,
  crossOriginIsolated,
  startedAt: new Date().toISOString(),
  origin: 'live',
})

/** In `lost`: the page's own doing. */
export const DESTROYED = 'destroyed by the page'

/** Beside what the page asked for. */
interface Ended {
  readonly frames: number
  /** What the page has replaced of what was patched. */
  readonly replaced: readonly string[]
  readonly sites: CallSites
}

/** What the page asked for. */
export class PageFacts {
  #adaptersAsked = 0
  #adaptersGiven = 0
  #devices = 0
  /** How each device ended that did. */
  readonly #lost: string[] = []

  /** `info`, with these and where calls came from. */
  into(info: RunInfo, { frames, replaced, sites }: Ended): RunInfo {
    return {
      ...info,
      derived: {
        adaptersAsked: this.#adaptersAsked,
        adaptersGiven: this.#adaptersGiven,
        devices: this.#devices,
        frames,
        ...Object.fromEntries(this.#lost.map((why, index) => [`lost ${String(index + 1)}`, why])),
        ...(replaced.length > 0 && { replaced: replaced.join(', ') }),
        ...Object.fromEntries(
          sites.all.map((site, index) => [`site ${String(index + 1)}`, JSON.stringify(site)]),
        ),
      },
    }
  }

  patches(realm: object, { builder }: SpanWriter): readonly Patch[] {
    return [
      ...patchNamed(classOf(realm, 'GPU'), 'requestAdapter', (original, gpu, args) => {
        this.#adaptersAsked += 1
        const found = (adapter: object | null) => {
          if (adapter) this.#adaptersGiven += 1
          return adapter
        }
        return promiseThen(callOriginal(original, gpu, args) as Promise<unknown>, found, undefined)
      }),
      ...patchNamed(classOf(realm, 'GPUAdapter'), 'requestDevice', (original, adapter, args) => {
        const made = (device: GPUDevice) => {
          this.#devices += 1
          const { info } = builder
          builder.info = { ...info, adapter: info.adapter ?? summaryOf(adapter as GPUAdapter) }
          // Never rejects (WebGPU §4.4).
          react(
            device.lost,
            ({ reason, message }: GPUDeviceLostInfo) => {
              const why = message === '' ? reason : message
              this.#lost.push(reason === 'destroyed' ? DESTROYED : why)
            },
            () => undefined,
          )
          return device
        }
        return promiseThen(callOriginal(original, adapter, args) as Promise<unknown>, made, undefined)
      }),
    ]
  }
}

function summaryOf({ info }: GPUAdapter): NonNullable<RunInfo['adapter']> {
  const { vendor, architecture, device, description, isFallbackAdapter } = info
  return { vendor, architecture, device, description, isFallbackAdapter }
}
