/** Folders of tests that the whole suite leaves out on PostgreSQL, and why. Each can be run there by its name. */
export const onlyOnSqlite = {
  bin: 'the programs on a file; nodes/ has them on PostgreSQL',
  crash: 'what a file holds after kill -9; nodes/ kills nodes and their database',
  examples: 'programs with files of their own',
  'power-loss': 'what a disk holds of a file',
  repository: 'about the files of the project, and no database',
  web: 'a page in a browser has its data from the API, which all other tests ask on PostgreSQL; it would take three minutes',
}
