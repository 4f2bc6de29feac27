/** Words that mean different things, nested comments, numbers of every kind. */
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
  [
    'var<storage, read_write> read: f32;',
    ['var:keyword', 'storage:keyword', 'read_write:keyword', 'f32:keyword'],
  ],
  ['let workgroup = storage;', ['let:keyword', '=:keyword']],
  ['@builtin(position) p', ['@:keyword']],
  ['@fragment fn f() {}', ['@:keyword', 'fn:keyword', 'f:function']],
  ['a(vec4f(1.5h))', ['a:function', 'vec4f:function', '1.5h:constant']],
  [
    '0x1Fu .5 1e-3f 2i true',
    ['0x1Fu:constant', '.5:constant', '1e-3f:constant', '2i:constant', 'true:constant'],
  ],
  ['v.x', ['.:keyword']],
  ['/* a /* b */ fn */ if', ['/* a /* b */ fn */:comment', 'if:keyword']],
  ['/* a\nfn */ if', ['/* a:comment', 'fn */:comment', 'if:keyword']],
  ['// fn\nfn', ['// fn:comment', 'fn:keyword']],
  ['texture_storage_2d<rgba8unorm, write>', ['texture_storage_2d:keyword', 'write:keyword']],
  ['größe', []],
] as const)('%j', (text, expected) => expect(coloured(text)).toEqual(expected))
