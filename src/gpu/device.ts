/**
 * Adapter and device: every useful limit and feature is asked for, loss and uncaptured errors
 * always end in a fault. A lost device is never repaired: a new adapter and a new device are
 * requested (WebGPU §3.4 "losing the device").
 */
import { FaultError, type Fault } from '../base/fault'
import { withTimeout } from '../base/with-timeout'
import { isSoftwareAdapter, nameWithKind, type AdapterSummary } from '../trace/schema'
import { faultOfGpuError, faultOfLoss } from './faults'

const WANTED_FEATURES = ['timestamp-query', 'subgroups', 'shader-f16'] as const
/**
 * Defaults are far below what adapters offer (https://www.w3.org/TR/webgpu/#limits): 128 MiB
 * bindings, 256 invocations.
 */
const WANTED_LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
  'maxStorageBuffersPerShaderStage',
] as const
/** Reported, though a device need not be asked for more. */
const REPORTED_LIMITS = [...WANTED_LIMITS, 'minStorageBufferOffsetAlignment', 'maxBindGroups'] as const

interface AdapterInfo extends AdapterSummary {
  readonly subgroupMinSize?: number
  readonly subgroupMaxSize?: number
}

/** Facts that an adapter reports before there is a device. */
export interface AdapterFacts {
  readonly info: AdapterInfo
  /** One line for a person; a software adapter is named as such everywhere. */
  readonly name: string
  readonly isSoftware: boolean
  readonly features: readonly string[]
  readonly limits: Readonly<Record<string, number>>
}

export interface LabDevice extends AdapterFacts {
  readonly gpu: GPUDevice
  readonly hasTimestamps: boolean
  /**
   * The fault that ended this device; null while it lives. Known at once where `destroy` ended it.
   */
  readonly lostFault: () => Fault | null
  /** Called once, when the device is lost. */
  readonly onLost: (listener: (fault: Fault) => void) => () => void
  /** Called for each error that no error scope caught. */
  readonly onError: (listener: (fault: Fault) => void) => () => void
  readonly destroy: () => void
}

function summarise({ info }: GPUAdapter): AdapterInfo {
  const { vendor, architecture, device, description, subgroupMinSize, subgroupMaxSize } = info
  return {
    vendor,
    architecture,
    device,
    description,
    // Browsers before 2025 have none in `info`: software adapters are known by their names too.
    isFallbackAdapter: (info as Partial<GPUAdapterInfo>).isFallbackAdapter ?? false,
    ...(subgroupMinSize ? { subgroupMinSize } : {}),
    ...(subgroupMaxSize ? { subgroupMaxSize } : {}),
  }
}

function listeners<T>() {
  const set = new Set<(value: T) => void>()
  return {
    add: (listener: (value: T) => void) => {
      set.add(listener)
      return () => void set.delete(listener)
    },
    count: () => set.size,
    call: (value: T) => {
      for (const listener of set) listener(value)
    },
  }
}

/**
 * For an adapter, and for a device: a browser that starts its GPU process takes a second or two, a
 * driver that wakes up some more.
 */
const OPEN_LIMIT_MS = 30_000

async function requestAdapter(gpu: GPU | undefined, limitMs: number): Promise<GPUAdapter> {
  if (!gpu)
    throw new FaultError({
      code: 'no-webgpu',
      message: 'This browser has no WebGPU here.',
      hint: 'Use a current Chrome, Edge, Firefox or Safari, over https or localhost.',
    })
  const adapter = await withTimeout(
    gpu.requestAdapter({ powerPreference: 'high-performance' }),
    limitMs,
    'The browser, asked for a GPU adapter,',
  )
  if (!adapter)
    throw new FaultError({
      code: 'no-adapter',
      message: 'The browser has WebGPU but offers no adapter on this machine.',
      hint: 'Hardware acceleration may be off, or this GPU and driver are on the browser’s blocklist.',
    })
  return adapter
}

function factsOf(adapter: GPUAdapter): AdapterFacts {
  const info = summarise(adapter)
  return {
    info,
    name: nameWithKind(info),
    isSoftware: isSoftwareAdapter(info),
    features: [...adapter.features].sort(),
    limits: Object.fromEntries(REPORTED_LIMITS.map((name) => [name, adapter.limits[name]])),
  }
}

/**
 * Reads the adapter without opening a device. Throws FaultError: no-webgpu, no-adapter, timeout.
 */
export const askAdapter = async (gpu: GPU | undefined, limitMs = OPEN_LIMIT_MS): Promise<AdapterFacts> =>
  factsOf(await requestAdapter(gpu, limitMs))

/**
 * Asks for an adapter and a device. Throws FaultError: no-webgpu, no-adapter, limit, timeout,
 * internal.
 */
export async function openDevice(gpu: GPU | undefined, limitMs = OPEN_LIMIT_MS): Promise<LabDevice> {
  const adapter = await requestAdapter(gpu, limitMs)
  const available = WANTED_FEATURES.filter((name) => adapter.features.has(name))
  const requiredLimits = Object.fromEntries(WANTED_LIMITS.map((name) => [name, adapter.limits[name]]))
  let device: GPUDevice
  try {
    device = await withTimeout(
      adapter.requestDevice({ label: 'lab device', requiredFeatures: available, requiredLimits }),
      limitMs,
      'The adapter, asked for a device,',
      (late) => late.destroy(),
    )
  } catch (error) {
    if (error instanceof FaultError) throw error
    throw new FaultError(
      {
        code: 'internal',
        message: `The adapter gave no device: ${error instanceof Error ? error.message : String(error)}`,
        hint: 'Reload the page; if it comes back, restart the browser.',
      },
      { cause: error },
    )
  }

  const lost = listeners<Fault>()
  const errors = listeners<Fault>()
  let lostFault: Fault | null = null
  // Resolves also on destroy(); never rejects (WebGPU §4.4), but a listener may throw.
  device.lost
    .then((reason) => lost.call((lostFault ??= faultOfLoss(reason))))
    .catch((thrown: unknown) => reportError(thrown))
  device.addEventListener('uncapturederror', (event) => {
    // The fault reaches the page, and the console needs no copy. With no run under way nobody
    // listens, and it is the console's.
    if (errors.count() > 0) event.preventDefault()
    errors.call(faultOfGpuError(event.error, 'uncaptured'))
  })
  return {
    ...factsOf(adapter),
    gpu: device,
    hasTimestamps: device.features.has('timestamp-query'),
    lostFault: () => lostFault,
    onLost: lost.add,
    onError: errors.add,
    destroy: () => {
      // Known at once: whoever asks next is not to be given a device that is about to be lost.
      lostFault ??= faultOfLoss({ reason: 'destroyed', message: '' })
      device.destroy()
    },
  }
}
