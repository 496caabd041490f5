import Database from 'better-sqlite3'

interface Statement {
  source: string
  database: Database.Database
  all(...parameters: unknown[]): unknown[]
  run(...parameters: unknown[]): unknown
}

/** The database's plans of all queries that are run during `work`, step by step. */
export async function plansWhile(work: () => Promise<unknown>): Promise<string[]> {
  const steps: string[] = []
  const prototype = Object.getPrototypeOf(new Database(':memory:').prepare('select 1')) as Statement
  const { all, run } = prototype
  const explain = (statement: Statement, parameters: unknown[]) => {
    const plan = statement.database.prepare(`explain query plan ${statement.source}`) as unknown as Statement
    steps.push(...all.apply(plan, parameters).map((row) => (row as { detail: string }).detail))
  }
  prototype.all = function (this: Statement, ...parameters) {
    explain(this, parameters)
    return all.apply(this, parameters)
  }
  prototype.run = function (this: Statement, ...parameters) {
    if (/^(insert|update|delete)/i.test(this.source)) explain(this, parameters)
    return run.apply(this, parameters)
  }
  try {
    await work()
  } finally {
    Object.assign(prototype, { all, run })
  }
  return steps
}
