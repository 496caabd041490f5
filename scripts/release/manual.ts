import { program } from '../../bin/program.ts'

/** Escapes text for roff. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')

/** The manual page, made from the command's own help. */
export function manual(version: string): string {
  const all = program()
  const commands = all.commands.map((each) => `.TP\n.B ${escaped(each.name())}\n${escaped(each.description())}`)
  return `.TH CHAT\\-SERVER 1 "" "chat\\-server ${escaped(version)}"
.SH NAME
chat\\-server \\- team\\-chat server from a single SQLite file
.SH SYNOPSIS
.B chat\\-server
.RI [ command ]
.RI [ options ]
.SH DESCRIPTION
${escaped(all.description())}
.PP
Each command lists its options with \\-\\-help.
.SH COMMANDS
${commands.join('\n')}
.SH FILES
.TP
.I /etc/chat\\-server.env
Settings of the service.
.TP
.I /var/lib/chat\\-server
The database of the service, its secret and its files.
`
}
