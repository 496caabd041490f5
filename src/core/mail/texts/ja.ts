import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('ja')

export const texts: MailTexts = {
  common: {
    comma: '、',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `${name}さん`,
    helloStranger: 'こんにちは。',
    ignore: '心当たりがない場合は、このメールを無視してください。何も変更されていません。',
    stop: 'このメールの配信を停止',
    openChat: 'チャットを開く',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter}さんが${organization}に招待しています`,
    text: (inviter, address, organization) =>
      `${inviter}さん(${address})が、チームチャット「${organization}」にあなたを招待しています。`,
    join: (organization) => `${organization}に参加`,
    forYou: 'この招待はあなた専用です。送信者に心当たりがない場合は、このメールを無視してください。',
    forYouUntil: (day) =>
      `この招待はあなた専用です。有効期限は${day}です。送信者に心当たりがない場合は、このメールを無視してください。`,
  },
  passwordReset: {
    subject: (organization) => `${organization}のパスワードの再設定`,
    text: (address, organization) =>
      `${organization}のアカウント${address}について、新しいパスワードの設定が求められました。`,
    choose: '新しいパスワードを設定',
    once: 'リンクは1時間以内に1回だけ使えます。使うと、ほかのすべての場所からサインアウトします。',
    ignore: '心当たりがない場合は、このメールを無視してください。パスワードは変わりません。',
  },
  signUp: {
    existsSubject: (organization) => `${organization}のアカウントはすでにあります`,
    exists: (address, organization) =>
      `${organization}で${address}のアカウントを作成しようとした人がいます。アカウントはすでにあります。`,
    signIn: (organization) => `${organization}にサインイン`,
    confirmSubject: (organization) => `${organization}のメールアドレスの確認`,
    confirm: (address, organization) =>
      `チームチャット「${organization}」で${address}のアカウントの作成が求められました。`,
    create: 'アカウントを作成',
    once: 'リンクは1日以内に1回だけ使えます。心当たりがない場合は、このメールを無視してください。',
  },
  emailChange: {
    confirmSubject: (organization) => `${organization}の新しいメールアドレスの確認`,
    confirm: (address, organization) =>
      `${address}が${organization}のアカウントの新しいアドレスであることを確認してください。`,
    confirmButton: 'このアドレスを確認',
    day: 'リンクの有効期間は1日です。心当たりがない場合は、このメールを無視してください。',
    changeSubject: (organization) => `${organization}のメールアドレスが変更されます`,
    change: (address, organization) => `${organization}のアカウントのアドレスは、確認されると${address}になります。`,
    keep: '心当たりがない場合は、今のアドレスを維持し、すべての場所からサインアウトしてください。リンクの有効期間は7日です。',
    keepButton: '今のアドレスを維持',
    thenPassword: 'その後、新しいパスワードを設定してください。',
  },
  account: {
    deactivatedSubject: (organization) => `${organization}のアカウントが無効化されました`,
    deactivated: (address, organization) =>
      `管理者が${organization}のアカウント${address}を無効化しました。今後はサインインできません。`,
    theyWrote: '管理者からのコメント:',
    reactivatedSubject: (organization) => `${organization}のアカウントが再び有効になりました`,
    reactivated: (address, organization) =>
      `管理者が${organization}のアカウント${address}を再有効化しました。パスワードでサインインしてください。`,
    signIn: 'サインイン',
    exportSubject: (organization) => `${organization}のエクスポートが完了しました`,
    export: (organization) =>
      `開始した${organization}のエクスポートが完了しました。組織の設定からダウンロードできます。`,
    ownExportSubject: (organization) => `${organization}のデータのエクスポートが完了しました`,
    ownExport: (organization) =>
      `${organization}でのメッセージ、ファイル、設定のエクスポートが完了しました。7日間、自分の設定からダウンロードできます。`,
    openSettings: '設定を開く',
  },
  welcome: {
    subject: (organization) => `${organization}へようこそ`,
    text: (organization, address) =>
      `${organization}のアカウントが作成されました。${address}でサインインしてください。`,
    apps: (url) => `アプリ用のサーバーアドレス: ${url}`,
  },
  signIn: {
    subject: (organization) => `${organization}への新しいサインイン`,
    text: (account, organization) => `新しいデバイスが${organization}のアカウント${account}にサインインしました。`,
    textFrom: (account, organization, address) =>
      `新しいデバイスがアドレス${address}から${organization}のアカウント${account}にサインインしました。`,
    device: 'デバイス',
    unknownDevice: '不明',
    time: '時刻',
    ifYou:
      'ご自身の操作であれば、何もする必要はありません。そうでない場合は、すべての場所からサインアウトし、新しいパスワードを設定してください。',
    review: 'セッションを確認',
  },
  guessing: {
    subject: (organization) => `${organization}のアカウントへのサインインが何度も失敗しました`,
    text: (count, account, organization) =>
      plural(count, {
        other: `1時間以内に、${organization}のアカウント${account}へのサインインが${count}回失敗しました。誰かがパスワードを推測しようとしている可能性があります。`,
      }),
    advice:
      'これらの試みで中に入った人はいません。ご自身でパスワードを間違えた場合は、何もする必要はありません。そうでない場合は、ほかで使っていない長いパスワードと認証アプリを使ってください。',
    open: 'アカウントを開く',
  },
  missed: {
    with: (name) => `${name}さんとのダイレクトメッセージ`,
    withGroup: (names) => `グループのダイレクトメッセージ: ${names}`,
    generalChat: '一般チャット',
    message: (sender, time) => `${sender}、${time}:`,
    hidden: '(非表示)',
    more: (count) => plural(count, { other: `ほか${count}件。` }),
    open: '会話を開く',
    muteTopic: 'このトピックをミュート',
    hiddenSubject: '新しいメッセージ',
    hiddenText: (count) =>
      plural(count, {
        other: `新しいメッセージが${count}件あります。あなたまたは組織の設定により、このメールには表示されません。`,
      }),
    footer: (organization) =>
      `このメールは、${organization}に未読のメッセージがあるため送信されました。このメールへの返信は読まれません。`,
    footerReply: (organization) =>
      `このメールは、${organization}に未読のメッセージがあるため送信されました。このメールに返信すると、チャットで返信できます。`,
  },
  test: {
    subject: 'テストメール',
    works: 'このチャットサーバーはメールを送信できます。',
  },
  digest: {
    subject: (organization) => `${organization}の今週のまとめ`,
    text: (organization) => `この1週間の${organization}の様子です。`,
    unread: (count) => plural(count, { other: `未読のダイレクトメッセージが${count}件あります。` }),
    messages: (count) => plural(count, { other: `参加しているチャンネルに新しいメッセージが${count}件あります。` }),
    topics: '活発なトピック',
    topic: (count, names) => plural(count, { other: `${count}件のメッセージ: ${names}` }),
    channels: '新しいチャンネル',
    footer: (organization) => `このメールは、${organization}を数日間開いていないため、週に1回送信されます。`,
  },
}
