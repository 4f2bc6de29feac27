/**
 * The host's half of a WGSL kernel: everything a dispatch needs besides buffers, as plain data
 * worked out from a shape. Binding order, always: 0 is the uniform block, then the storage inputs
 * in the order of `bindings`, last the output. Uniforms and constants follow the names and the
 * order in the WGSL; tests compare the two.
 */
import type { KernelCall } from '..'
import type { Source } from './source'

/** A device's limits by WebGPU name; what is missing is taken to be WebGPU's default. */
type Limits = Readonly<Record<string, number>>
export type Workgroups = readonly [x: number, y: number, z: number]
/** Capabilities that a device offers a kernel; a LabDevice is one. */
export interface DeviceCapabilities {
  readonly limits: Limits
  /** WebGPU's names of features: 'subgroups'. */
  readonly features: readonly string[]
}

export interface Kernel<Shape> {
  readonly id: string
  /** Names pipelines, bind groups and uniforms: 'matmul/tiled'. */
  readonly label: string
  /** The WGSL that a learner reads, relative to the project. */
  readonly file: string
  /**
   * Shared WGSL and the kernel's own, as one module; a function where the shape decides which
   * shared files those are.
   */
  readonly source: Source | ((shape: Shape) => Source)
  /** Bindings from 0 on, by their names in the WGSL. */
  readonly bindings: readonly string[]
  entryPoint: (shape: Shape) => string
  /**
   * Values of the WGSL's `override` constants; true is 1. Each new set of values is another
   * pipeline.
   */
  constants: (shape: Shape) => Readonly<Record<string, number>>
  uniforms: (shape: Shape) => ArrayBuffer
  workgroups: (shape: Shape) => Workgroups
  /** The second dispatch, for kernels that need one to make the output. */
  second?: (shape: Shape) => KernelCall['second']
  /**
   * Floating-point operations that the result needs, a multiply-add counted as two: padding and
   * edges are not work.
   */
  flops: (shape: Shape) => number
  /** Bytes that must move at least: each input read once, each output written once. */
  bytes: (shape: Shape) => number
  /** Why this device cannot run it (with this shape), in words; null where it can. */
  supports: (device: DeviceCapabilities, shape?: Shape) => string | null
}

/** One kernel made ready for one shape, as the engine takes it. */
export function kernelCall<Shape>(kernel: Kernel<Shape>, shape: Shape): KernelCall {
  const source = typeof kernel.source === 'function' ? kernel.source(shape) : kernel.source
  return {
    label: kernel.label,
    code: source.code,
    entryPoint: kernel.entryPoint(shape),
    constants: kernel.constants(shape),
    uniforms: kernel.uniforms(shape),
    workgroups: kernel.workgroups(shape),
    locate: source.locate,
    second: kernel.second?.(shape),
  }
}

/** Resources that a workgroup takes from the device, and the number of workgroups. */
export interface Requirements {
  readonly invocations: number
  readonly storageBytes: number
  readonly workgroups: Workgroups
  readonly features?: readonly string[]
}

const DEFAULT_LIMITS: Limits = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeWorkgroupsPerDimension: 65535,
}

/** The first need that the device does not meet, in words; null where it meets all. */
export function unmetRequirement(
  { limits, features }: DeviceCapabilities,
  needs: Requirements,
): string | null {
  for (const feature of needs.features ?? [])
    if (!features.includes(feature))
      return `it needs the feature '${feature}', which the device does not offer.`
  const needed: readonly (readonly [limit: string, value: number])[] = [
    ['maxComputeInvocationsPerWorkgroup', needs.invocations],
    ['maxComputeWorkgroupStorageSize', needs.storageBytes],
    ['maxComputeWorkgroupsPerDimension', Math.max(...needs.workgroups)],
  ]
  for (const [limit, value] of needed) {
    const offered = limits[limit] ?? DEFAULT_LIMITS[limit] ?? 0
    if (value > offered) return `it needs ${limit} ${String(value)}, the device offers ${String(offered)}.`
  }
  return null
}

/**
 * A uniform block whose members are all 4-byte scalars, in the order of the WGSL struct. Its size
 * is a multiple of 16, as bindings like it.
 */
export function packUniforms(members: readonly (readonly ['u32' | 'f32', number])[]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(Math.ceil(members.length / 4) * 16))
  members.forEach(([type, value], index) => {
    if (type === 'f32') view.setFloat32(index * 4, value, true)
    else view.setUint32(index * 4, value, true)
  })
  return view.buffer
}

export const ceilDivide = (dividend: number, divisor: number): number => Math.ceil(dividend / divisor)
