/** Loaded when somebody searches. */

export { searchProblem } from './search-problem.ts'
export { suggestSearch } from './suggestions.ts'
