/** Logging in, joining and founding an organization, as the server's pages say it. */
export const entrance = {
  'Your username or password is incorrect': 'Diese Anmeldedaten stimmen nicht.',
  'Enter a valid email address.': 'Gib eine gültige E-Mail-Adresse ein.',
  'The password needs at least {min} characters.': 'Das Passwort braucht mindestens {min} Zeichen.',
  'The password has more than {max} characters.': 'Das Passwort hat mehr als {max} Zeichen.',
  'Too many requests. Wait a while.': 'Zu viele Anfragen. Warte eine Weile.',
  'This code is wrong, or it was used before.': 'Dieser Code ist falsch oder wurde schon benutzt.',
  'This code is wrong. Is the clock of your phone right?':
    'Dieser Code ist falsch. Geht die Uhr deines Handys richtig?',
  'Your password is wrong.': 'Dein Passwort ist falsch.',
  'Logging in with a passkey is off here.': 'Die Anmeldung mit einem Passkey ist hier aus.',
  'Enter your email address.': 'Gib deine E-Mail-Adresse ein.',
  'The organization needs a name.': 'Die Organisation braucht einen Namen.',
  "The organization's name is one line.": 'Der Name der Organisation hat nur eine Zeile.',
  "The organization's name has more than {max} characters.": 'Der Name der Organisation hat mehr als {max} Zeichen.',
  'No JSON web token passed in request': 'Es wurde kein JSON Web Token mitgesendet',
  'Bad JSON web token': 'Das JSON Web Token ist ungültig',
  'JWT authentication is not enabled for this organization': 'Die Anmeldung mit JWT ist in dieser Organisation aus',
  'This log-in was not begun in this browser, or it is too old.':
    'Diese Anmeldung wurde nicht in diesem Browser begonnen, oder sie ist zu alt.',
  'Your email address is not verified there. Verify it, or log in another way and connect the two.':
    'Deine E-Mail-Adresse ist dort nicht bestätigt. Bestätige sie, oder melde dich anders an und verbinde die beiden.',
  'It names no email address for you.': 'Dort steht keine E-Mail-Adresse von dir.',
  'This account is not for people.': 'Dieses Konto ist nicht für Menschen.',
  'You need an invitation to join this organization.':
    'Du brauchst eine Einladung, um dieser Organisation beizutreten.',
  'You have no account here yet. Ask for an invitation.': 'Du hast hier noch kein Konto. Bitte um eine Einladung.',
  'It is connected to another account here.': 'Es ist hier mit einem anderen Konto verbunden.',
} as const;
