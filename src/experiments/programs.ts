/**
 * The programs that experiments run: `<id>/programs/<name>.js`, plain WebGPU, one ES module each.
 * The build emits these files as they stand, and the worker imports them from there: the text on
 * the page is the text that runs, line for line.
 */
import type { Program } from '../lab/lab'

const urls = import.meta.glob<string>('./*/programs/*.js', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})

/** Absolute: call sites in stacks name it. Throws where there is no such file. */
export function programUrl(experiment: string, program: string): string {
  const url = urls[`./${experiment}/programs/${program}.js`]
  if (url === undefined) throw new Error(`There is no program '${program}' of '${experiment}'.`)
  return new URL(url, import.meta.url).href
}

export interface LoadedProgram {
  readonly url: string
  readonly program: Program
}

export async function loadProgram(url: string): Promise<LoadedProgram> {
  const module = (await import(/* @vite-ignore */ url)) as { readonly default: Program }
  return { url, program: module.default }
}
