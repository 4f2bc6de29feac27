/** Colours of tokens: those of the site's code listings (theme.css), which reach into the shadow root as custom properties. */
import { HighlightStyle } from '@codemirror/language'
import { tags } from '@lezer/highlight'

const colour = (kind: string): { readonly color: string } => ({ color: `var(--code-token-${kind})` })

export const listing = HighlightStyle.define([
  { tag: [tags.keyword, tags.operator, tags.modifier, tags.definitionOperator], ...colour('keyword') },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.escape], ...colour('string') },
  { tag: tags.comment, ...colour('comment') },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.self, tags.constant(tags.variableName)],
    ...colour('constant'),
  },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.typeName, tags.className],
    ...colour('function'),
  },
  { tag: tags.separator, ...colour('punctuation') },
])
