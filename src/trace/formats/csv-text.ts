/** Text of anybody's in a cell of a CSV file. */

/**
 * A cell that begins like a formula would be one where spreadsheets open it; names may come from
 * anybody's file. So may what follows a mark that some spreadsheet takes for the end of a cell (a
 * semicolon, in half of the world), in quotes or not. Each such place gets an apostrophe; what has
 * one there already gets another, so that one can be taken off again without loss. After OWASP,
 * 'CSV Injection', which names = + - @ tab and line ends; and their wide forms, which East Asian
 * spreadsheets read alike.
 */
const FORMULA = /(^|[;\t\r\n])([\s"]*)(?=['=+\-@＝＋－＠])/gu
export const asText = (text: string): string => text.replace(FORMULA, "$1$2'").replace(/^(?=[\t\r\n])/u, "'")
