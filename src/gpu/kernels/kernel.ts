/**
 * The host's half of a WGSL kernel: everything a dispatch needs besides buffers, as plain data
 * worked out from a shape. The entry point is `main`. Binding order, always: 0 is the uniform
 * block, then the storage inputs in the order of the WGSL, last the output. Uniforms and constants
 * follow the names and the order in the WGSL; tests compare the two.
 */
import type { KernelCall } from '..'

export interface SourceFile {
  /** Relative to the project: 'shaders/lib/pcg.wgsl'. */
  readonly file: string
  readonly text: string
}

export interface Source {
  readonly code: string
  /**
   * 'shaders/matmul/tiled.wgsl:12' for a line of `code`, counted from 1. Line 0 is WebGPU's 'no
   * line known': the last file's name.
   */
  readonly locate: (line: number) => string
}

/**
 * Joins shared WGSL and a kernel, by custom the last, into one module, which WGSL has no import
 * for. The way back is kept: the compiler numbers the lines of the joined text, a person wants file
 * and line. Nothing is inserted or replaced inside a file.
 */
export function joinSource(files: readonly SourceFile[]): Source {
  const lines: string[] = []
  const starts: { readonly file: string; readonly start: number }[] = []
  for (const { file, text } of files) {
    starts.push({ file, start: lines.length })
    lines.push(...text.replace(/\r?\n$/, '').split(/\r?\n/))
  }
  return {
    code: `${lines.join('\n')}\n`,
    locate: (line) => {
      const found = starts.findLast(({ start }) => start < line)
      return found ? `${found.file}:${String(line - found.start)}` : (starts.at(-1)?.file ?? 'WGSL')
    },
  }
}

export type Workgroups = readonly [x: number, y: number, z: number]

export interface Kernel<Shape> {
  /** Names pipelines, bind groups and uniforms; the WGSL's path below shaders/: 'data/fill'. */
  readonly label: string
  /**
   * Shared WGSL and the kernel's own, as one module; a function where the shape decides which
   * shared files those are.
   */
  readonly source: Source | ((shape: Shape) => Source)
  /**
   * Values of the WGSL's `override` constants; true is 1. Each new set of values is another
   * pipeline.
   */
  readonly constants?: (shape: Shape) => Readonly<Record<string, number>>
  readonly uniforms: (shape: Shape) => ArrayBuffer
  readonly workgroups: (shape: Shape) => Workgroups
  /** The second dispatch, for kernels that need one to make the output. */
  readonly second?: (shape: Shape) => KernelCall['second']
}

/** A kernel of one file, `text`, and those of shaders/lib (`lib`) that are joined before it. */
export function kernelOf<Shape>(
  label: string,
  text: string,
  {
    lib = [],
    ...own
  }: Pick<Kernel<Shape>, 'constants' | 'uniforms' | 'workgroups'> & { readonly lib?: readonly SourceFile[] },
): Kernel<Shape> {
  return { label, source: joinSource([...lib, { file: `shaders/${label}.wgsl`, text }]), ...own }
}

/** One kernel made ready for one shape, as the engine takes it. */
export function kernelCall<Shape>(kernel: Kernel<Shape>, shape: Shape): KernelCall {
  const source = typeof kernel.source === 'function' ? kernel.source(shape) : kernel.source
  return {
    label: kernel.label,
    code: source.code,
    constants: kernel.constants?.(shape) ?? {},
    uniforms: kernel.uniforms(shape),
    workgroups: kernel.workgroups(shape),
    locate: source.locate,
    second: kernel.second?.(shape),
  }
}

/**
 * A uniform block whose members are all 4-byte scalars, in the order of the WGSL struct. Its size
 * is a multiple of 16, as bindings like it.
 */
export function packUniforms(...members: readonly (readonly ['u32' | 'f32', number])[]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(Math.ceil(members.length / 4) * 16))
  members.forEach(([type, value], index) => {
    if (type === 'f32') view.setFloat32(index * 4, value, true)
    else view.setUint32(index * 4, value, true)
  })
  return view.buffer
}

export const ceilDivide = (dividend: number, divisor: number): number => Math.ceil(dividend / divisor)
