/**
 * Shows a device’s features as its program asked for them, without the `timestamp-query` that the
 * recorder added. The program’s `device.features` stays the same object; its methods leave the
 * one feature out.
 */
import { callOriginal, patch, patchGetter, type Patch } from './patches'
import { type Natives, type Realm, promiseThen } from './realm'

const TIMESTAMPS = 'timestamp-query'

/** As Chromium says it, but for its own feature of that kind. */
const NOT_ENABLED = `Failed to execute 'createQuerySet' on 'GPUDevice': Use of timestamp queries requires the '${TIMESTAMPS}' feature to be enabled on [Device].`

/**
 * Features of devices whose program did not ask for timestamps. They outlive a session, as a
 * device does.
 */
const notAskedFor = new WeakMap<object, true>()

export class Features {
  readonly #natives: Natives

  constructor(natives: Natives) {
    this.#natives = natives
  }

  /**
   * The descriptor to ask with; the program's own is left as it is. Null: nothing is to be added,
   * or the program's own call is to fail. A list of features is read once, as WebGPU does: it may
   * be any iterable.
   */
  addedTo(
    adapter: GPUAdapter,
    descriptor: GPUDeviceDescriptor | undefined,
  ): { readonly descriptor: GPUDeviceDescriptor; readonly adds: boolean } | null {
    try {
      const features = adapter.features
      if (!this.#natives.hasFeature(features, TIMESTAMPS)) return null
      const wanted = [...(descriptor?.requiredFeatures ?? [])]
      const adds = !wanted.includes(TIMESTAMPS)
      const value = adds ? [...wanted, TIMESTAMPS] : wanted
      // It inherits all other members.
      const asked = Object.create(descriptor ?? null, { requiredFeatures: { value } }) as GPUDeviceDescriptor
      return { descriptor: asked, adds }
    } catch {
      return null
    }
  }

  /**
   * Hides the added feature before the program has the device. A rejection stays the program’s to
   * handle.
   */
  hiddenIn(requested: Promise<GPUDevice>): Promise<GPUDevice> {
    const hide = (device: GPUDevice): GPUDevice => {
      notAskedFor.set(device.features, true)
      return device
    }
    return promiseThen(requested, hide, undefined) as Promise<GPUDevice> // the same value
  }

  patches({ GPUSupportedFeatures, GPUDevice }: Realm): readonly Patch[] {
    const hides = (self: object): boolean => notAskedFor.get(self) === true
    const shown = (self: GPUSupportedFeatures): Set<string> => {
      const kept = new Set<string>()
      this.#natives.eachFeature(self, (name) => {
        if (name !== TIMESTAMPS) kept.add(name)
      })
      return kept
    }
    return [
      patch(GPUDevice, 'createQuerySet', (original, device, args) => {
        const [descriptor] = args as readonly [GPUQuerySetDescriptor?] // may be missing
        if (descriptor?.type === 'timestamp' && hides(device.features)) throw new TypeError(NOT_ENABLED)
        return callOriginal(original, device, args)
      }),
      ...(GPUSupportedFeatures
        ? [
            patch(GPUSupportedFeatures, 'has', (original, self, args) => {
              const has = callOriginal(original, self, args)
              return has === true && !(hides(self) && args[0] === TIMESTAMPS)
            }),
            patchGetter(GPUSupportedFeatures, 'size', (original, self) => {
              const size = callOriginal(original, self, []) as number
              return hides(self) ? size - 1 : size
            }),
            ...(['keys', 'values', 'entries', Symbol.iterator] as const).map((member) =>
              patch(GPUSupportedFeatures, member, (original, self) =>
                hides(self) ? shown(self)[member]() : callOriginal(original, self, []),
              ),
            ),
            patch(GPUSupportedFeatures, 'forEach', (original, self, args) => {
              const [callback, thisArgument] = args as readonly unknown[]
              if (!hides(self) || typeof callback !== 'function') return callOriginal(original, self, args)
              this.#natives.eachFeature(self, (name) => {
                if (name !== TIMESTAMPS) Reflect.apply(callback, thisArgument, [name, name, self])
              })
              return undefined
            }),
          ]
        : []),
    ]
  }
}
