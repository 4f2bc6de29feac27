/**
 * Joins shared WGSL and a kernel into one module, which WGSL has no import for, and keeps the way
 * back: the compiler numbers the lines of the joined text, a person wants file and line. Nothing is
 * inserted or replaced inside a file.
 */
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

/** In this order; by custom the kernel is last. */
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
