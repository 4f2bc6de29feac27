/** The languages of exercises. */
import type { Extension } from '@codemirror/state'
import { wgsl } from './wgsl'
import { javascriptLanguage } from '@codemirror/lang-javascript'
import { styleTags, tags } from '@lezer/highlight'

/** JavaScript for the editor. Colours go by what the site's code listings do: an object before its member, a name where it is declared. */
const constant = tags.constant(tags.variableName)

const javascript = javascriptLanguage.configure({
  props: [
    styleTags({
      'VariableDeclaration/VariableDefinition': constant,
      'VariableDeclaration/ArrayPattern/VariableDefinition': constant,
      'VariableDeclaration/ObjectPattern/PatternProperty/VariableDefinition': constant,
      'ForOfSpec/VariableDefinition': constant,
      'MemberExpression/VariableName': constant,
      'MemberExpression/MemberExpression/PropertyName': constant,
      'Property/PropertyDefinition': tags.variableName,
      'NewExpression/VariableName': tags.function(tags.variableName),
      'InterpolationStart InterpolationEnd': tags.operator,
      Arrow: tags.operator,
      'get set async static': tags.keyword,
    }),
  ],
})

export const LANGUAGES = { javascript, wgsl } as const satisfies Readonly<Record<string, Extension>>
export type Language = keyof typeof LANGUAGES
