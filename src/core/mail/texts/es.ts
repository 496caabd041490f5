import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('es')

export const texts: MailTexts = {
  common: {
    comma: ', ',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `Hola, ${name}:`,
    helloStranger: 'Hola:',
    ignore: 'Si no lo has pedido, ignora este correo. No ha cambiado nada.',
    stop: 'Dejar de recibir estos correos',
    openChat: 'Abrir el chat',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} te ha invitado a ${organization}`,
    text: (inviter, address, organization) =>
      `${inviter} (${address}) te ha invitado a unirte a ${organization}, un chat de equipo.`,
    join: (organization) => `Unirse a ${organization}`,
    forYou: 'La invitación es solo para ti. Si no conoces a esta persona, ignora este correo.',
    forYouUntil: (day) =>
      `La invitación es solo para ti. Caduca el ${day}. Si no conoces a esta persona, ignora este correo.`,
  },
  passwordReset: {
    subject: (organization) => `Restablece tu contraseña de ${organization}`,
    text: (address, organization) =>
      `Alguien ha pedido una contraseña nueva para tu cuenta ${address} en ${organization}.`,
    choose: 'Elegir una contraseña nueva',
    once: 'El enlace funciona una sola vez durante una hora. Cerrará tus demás sesiones.',
    ignore: 'Si no lo has pedido, ignora este correo. Tu contraseña sigue siendo la misma.',
  },
  signUp: {
    existsSubject: (organization) => `Ya tienes una cuenta en ${organization}`,
    exists: (address, organization) =>
      `Alguien ha intentado crear una cuenta para ${address} en ${organization}. Ya tienes una.`,
    signIn: (organization) => `Iniciar sesión en ${organization}`,
    confirmSubject: (organization) => `Confirma tu correo electrónico para ${organization}`,
    confirm: (address, organization) =>
      `Alguien, probablemente tú, quiere crear una cuenta para ${address} en ${organization}, un chat de equipo.`,
    create: 'Crear tu cuenta',
    once: 'El enlace funciona una sola vez durante un día. Si no lo has pedido, ignora este correo.',
  },
  emailChange: {
    confirmSubject: (organization) => `Confirma tu nuevo correo electrónico para ${organization}`,
    confirm: (address, organization) =>
      `Confirma que ${address} es la nueva dirección de tu cuenta en ${organization}.`,
    confirmButton: 'Confirmar esta dirección',
    day: 'El enlace es válido durante un día. Si no lo has pedido, ignora este correo.',
    changeSubject: (organization) => `Tu correo electrónico de ${organization} va a cambiar`,
    change: (address, organization) =>
      `Tu cuenta en ${organization} tendrá la dirección ${address} cuando se confirme.`,
    keep: 'Si no lo has pedido, conserva tu dirección y cierra todas las sesiones. El enlace es válido durante 7 días:',
    keepButton: 'Conservar mi dirección',
    thenPassword: 'Después, elige una contraseña nueva.',
  },
  account: {
    deactivatedSubject: (organization) => `Se ha desactivado tu cuenta en ${organization}`,
    deactivated: (address, organization) =>
      `Un administrador ha desactivado tu cuenta ${address} en ${organization}. Ya no puedes iniciar sesión.`,
    theyWrote: 'Comentario:',
    reactivatedSubject: (organization) => `Tu cuenta en ${organization} vuelve a estar activa`,
    reactivated: (address, organization) =>
      `Un administrador ha reactivado tu cuenta ${address} en ${organization}. Inicia sesión con tu contraseña.`,
    signIn: 'Iniciar sesión',
    exportSubject: (organization) => `La exportación de ${organization} está lista`,
    export: (organization) =>
      `La exportación de ${organization} que iniciaste está lista. Descárgala en la configuración de la organización.`,
    ownExportSubject: (organization) => `Tus datos de ${organization} están listos`,
    ownExport: (organization) =>
      `Tus mensajes, archivos y ajustes de ${organization} están listos para descargar. Los encontrarás en tu configuración durante 7 días.`,
    openSettings: 'Abrir la configuración',
  },
  welcome: {
    subject: (organization) => `Te damos la bienvenida a ${organization}`,
    text: (organization, address) => `Ya tienes una cuenta en ${organization}. Inicia sesión con ${address}.`,
    apps: (url) => `Dirección del servidor para aplicaciones: ${url}`,
  },
  signIn: {
    subject: (organization) => `Nuevo inicio de sesión en ${organization}`,
    text: (account, organization) =>
      `Un dispositivo nuevo ha iniciado sesión en tu cuenta ${account} de ${organization}.`,
    textFrom: (account, organization, address) =>
      `Un dispositivo nuevo ha iniciado sesión en tu cuenta ${account} de ${organization} desde la dirección ${address}.`,
    device: 'Dispositivo',
    unknownDevice: 'desconocido',
    time: 'Hora',
    ifYou: 'Si eras tú, no hay nada que hacer. Si no, cierra todas las sesiones y elige una contraseña nueva.',
    review: 'Revisar tus sesiones',
  },
  guessing: {
    subject: (organization) => `Muchos intentos fallidos de acceder a tu cuenta en ${organization}`,
    text: (count, account, organization) =>
      plural(count, {
        one: `Ha fallado ${count} inicio de sesión en tu cuenta ${account} de ${organization} en una hora. Puede que alguien esté intentando adivinar tu contraseña.`,
        many: `Han fallado ${count} de inicios de sesión en tu cuenta ${account} de ${organization} en una hora. Puede que alguien esté intentando adivinar tu contraseña.`,
        other: `Han fallado ${count} inicios de sesión en tu cuenta ${account} de ${organization} en una hora. Puede que alguien esté intentando adivinar tu contraseña.`,
      }),
    advice:
      'Nadie ha entrado de esta forma. Si te has equivocado al escribir la contraseña, no hay nada que hacer. Si no, usa una contraseña larga que no uses en ningún otro sitio y una aplicación de autenticación.',
    open: 'Abrir tu cuenta',
  },
  missed: {
    with: (name) => `Mensajes directos con ${name}`,
    withGroup: (names) => `Mensajes directos en grupo con ${names}`,
    generalChat: 'chat general',
    message: (sender, time) => `${sender}, ${time}:`,
    hidden: '(oculto)',
    more: (count) => plural(count, { one: `Y ${count} más.`, many: `Y ${count} más.`, other: `Y ${count} más.` }),
    open: 'Abrir la conversación',
    muteTopic: 'Silenciar este tema',
    hiddenSubject: 'Mensajes nuevos',
    hiddenText: (count) =>
      plural(count, {
        one: 'Tienes un mensaje nuevo. Este correo no lo muestra por una opción de tu configuración o de la organización.',
        many: `Tienes ${count} de mensajes nuevos. Este correo no los muestra por una opción de tu configuración o de la organización.`,
        other: `Tienes ${count} mensajes nuevos. Este correo no los muestra por una opción de tu configuración o de la organización.`,
      }),
    footer: (organization) =>
      `Recibes este correo porque tienes mensajes pendientes en ${organization}. Nadie lee las respuestas.`,
    footerReply: (organization) =>
      `Recibes este correo porque tienes mensajes pendientes en ${organization}. Respóndelo para contestar en el chat.`,
  },
  test: {
    subject: 'Correo de prueba',
    works: 'Tu servidor de chat puede enviar correos.',
  },
  digest: {
    subject: (organization) => `Tu semana en ${organization}`,
    text: (organization) => `Esto es lo que ha pasado en ${organization} en la última semana.`,
    unread: (count) =>
      plural(count, {
        one: `Tienes ${count} mensaje directo sin leer.`,
        many: `Tienes ${count} de mensajes directos sin leer.`,
        other: `Tienes ${count} mensajes directos sin leer.`,
      }),
    messages: (count) =>
      plural(count, {
        one: `Hay ${count} mensaje nuevo en tus canales.`,
        many: `Hay ${count} de mensajes nuevos en tus canales.`,
        other: `Hay ${count} mensajes nuevos en tus canales.`,
      }),
    topics: 'Temas activos',
    topic: (count, names) =>
      plural(count, {
        one: `${count} mensaje: ${names}`,
        many: `${count} de mensajes: ${names}`,
        other: `${count} mensajes: ${names}`,
      }),
    channels: 'Canales nuevos',
    footer: (organization) =>
      `Recibes este correo una vez a la semana porque llevas unos días sin abrir ${organization}.`,
  },
}
