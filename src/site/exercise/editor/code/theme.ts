/**
 * The editor's look, by the site's custom properties, so that light and dark follow the page.
 * CodeMirror puts these rules into the shadow root's adoptedStyleSheets: no style element, and no
 * image by a data: address is ever shown.
 */
import { EditorView } from '@codemirror/view'

const wavy = (hue: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy var(--${hue}) 1px`,
  textUnderlineOffset: '0.2em',
})

export const theme = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid color-mix(in srgb, var(--text-2) 70%, var(--surface))',
    borderRadius: 'var(--corner)',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono-face)',
    lineHeight: '1.62',
    fontVariantLigatures: 'none',
    maxBlockSize: 'var(--editor-max-block-size, none)',
    minBlockSize: 'calc(var(--editor-lines, 6) * 1.62em + 24px)',
    borderRadius: 'var(--corner)',
  },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--text)' },
  // A line that is too long goes on under itself, as in the site's code listings.
  '.cm-line': {
    padding: '0 12px 0 calc(6px + var(--indent, 2ch))',
    textIndent: 'calc(-1 * var(--indent, 2ch))',
  },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-2)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '32px', padding: '0 6px 0 4px' },

  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--surface-3)',
    outline: '1px solid var(--text-2)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', textDecoration: 'underline' },

  // A little paler than in the listings, so that a comment keeps a contrast of 4.5; above the tone
  // of a changed line.
  '& .cm-line.cm-lit.cm-lit': {
    backgroundColor: 'color-mix(in srgb, var(--lit-tone, var(--host)) 12%, transparent)',
    boxShadow: 'inset 3px 0 color-mix(in srgb, var(--lit-tone, var(--host)) 70%, transparent)',
    transition: 'background var(--ease)',
  },

  '.cm-lintRange-error': wavy('wait'),
  '.cm-lintRange-warning': wavy('staging'),
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--corner)',
    fontFamily: 'var(--text-face)',
    fontSize: 'var(--size-small)',
    maxWidth: '40ch',
  },
  '.cm-diagnostic': { padding: '8px 12px', marginLeft: '0' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--wait)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--staging)' },

  // Within these no selector may have an `&`: style-mod would put the condition there.
  // iOS zooms into fields with a smaller type.
  '@media (max-width: 600px), (pointer: coarse)': {
    '.cm-scroller': { fontSize: '16px', lineHeight: '1.5' },
    '.cm-line': { paddingInlineEnd: '6px' },
  },
  '@media (prefers-reduced-motion: reduce)': { '.cm-lit': { transition: 'none' } },
  '@media (forced-colors: active)': {
    '.cm-lit': { outline: '2px solid Highlight', outlineOffset: '-2px' },
  },
  '@media print': {
    '.cm-scroller': { maxBlockSize: 'none', overflow: 'visible' },
  },
})
