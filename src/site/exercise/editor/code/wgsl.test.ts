/** Words, comments over lines, numbers of every kind. */
import { highlightTree } from '@lezer/highlight'
import { expect, it } from 'vitest'
import { listing } from './editing'
import { wgsl } from './wgsl'

const kinds = new Map(
  [...(listing.module?.getRules() ?? '').matchAll(/\.(\S+) \{color: var\(--code-token-([a-z]+)\);\}/g)].map(
    ([, name = '', kind = '']) => [name, kind] as const,
  ),
)
/** 'text:kind' of all that has a colour of its own. */
function coloured(text: string): readonly string[] {
  const found: string[] = []
  highlightTree(wgsl.parser.parse(text), listing, (from, to, name) =>
    found.push(`${text.slice(from, to)}:${kinds.get(name) ?? ''}`),
  )
  return found
}

it.each([
  ['var<storage, read_write> read: f32;', ['var<storage, read_write>:keyword', 'f32:keyword']],
  ['let workgroup = storage;', ['let:keyword', '=:keyword']],
  ['@builtin(position) p', ['@builtin:keyword']],
  ['@fragment fn f() {}', ['@fragment:keyword', 'fn:keyword', 'f:function']],
  ['a(vec4f(1.5h))', ['a:function', 'vec4f:function', '1.5h:constant']],
  [
    '0x1Fu .5 1e-3f 2i true',
    ['0x1Fu:constant', '.5:constant', '1e-3f:constant', '2i:constant', 'true:constant'],
  ],
  ['v.x', ['.:keyword']],
  ['/* a\nfn */ if', ['/* a:comment', 'fn */:comment', 'if:keyword']],
  ['// fn\nfn', ['// fn:comment', 'fn:keyword']],
  ['texture_2d<f32>', ['texture_2d:keyword', 'f32:keyword']],
  ['größe', []],
] as const)('%j', (text, expected) => expect(coloured(text)).toEqual(expected))
