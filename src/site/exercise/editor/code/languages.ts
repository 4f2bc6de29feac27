/** The languages of exercises. */
import type { Extension } from '@codemirror/state'
import { javascript } from './javascript'
import { wgsl } from './wgsl'

export const LANGUAGES = { javascript, wgsl } as const satisfies Readonly<Record<string, Extension>>
export type Language = keyof typeof LANGUAGES
