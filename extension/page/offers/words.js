// What buttons and fields are for, by their words in the languages that most pages
// are written in.

/** Matches any of some words, each as a whole; those in the second list also within others. @param {string} whole @param {string} [parts] @param {boolean} [begins] only where the text begins with them */
function words(whole, parts = '', begins = false) {
  const any = `(?:${whole})(?![\\p{L}])`;
  return new RegExp((begins ? '^' : '') + (parts ? `(?:${begins ? '' : '(?<![\\p{L}])'}${any}|${parts})` : (begins ? '' : '(?<![\\p{L}])') + any), 'iu');
}

/** What searches. */
export const SEARCHES = words('search|query|keywords?|look ?up|suche|suchen|durchsuchen|buscar|búsqueda|pesquisar|procurar|recherch[\\p{L}]*|chercher|cerca|ricerca|zoek[\\p{L}]*|szukaj|sök|найти|искать', '^q$|搜索|搜尋|查找|検索|검색|поиск|بحث');

/** Buttons that send what was filled in. */
export const SENDS = words('search|find|get|go|send|save|submit|apply|add|create|post|sign|log ?in|register|join|book|reserve|continue|next|pay|buy|order|place|checkout|subscribe|update|change|set|filter|ok|done|confirm|comment|reply|publish|upload|invite|request|start|generate|calculate|convert|translate|check|verify|reset|redeem|vote|rate|schedule|finish|accept'
  + '|weiter|hinzufügen|anlegen|erstellen|bestellen|kaufen|bezahlen|übernehmen|bestätigen|registrieren|ändern|berechnen'
  + '|enregistrer|envoyer|ajouter|créer|valider|continuer|suivant|connexion|commander|acheter|payer|confirmer'
  + '|guardar|enviar|añadir|agregar|crear|continuar|siguiente|entrar|iniciar|comprar|pagar|confirmar|aceptar|salvar|adicionar|criar'
  + '|salva|invia|aggiungi|crea|continua|avanti|accedi|acquista|conferma|opslaan|verzenden|toevoegen|volgende|inloggen|zapisz|wyślij|dodaj|dalej|zaloguj|kaydet|gönder|ekle|spara|skicka'
  + '|сохранить|отправить|добавить|создать|далее|войти|купить|подтвердить|حفظ|إرسال|إضافة|التالي', 'such|senden|speicher|anmeld|rechercher|保存|送信|追加|登録|次へ|提交|添加|创建|新建|确定|下一步|登录|发送|저장|추가|전송|확인|로그인');

/** Buttons that send nothing. */
export const LEAVES = words('cancel|close|dismiss|back|previous|discard|clear|reset|no thanks|not now|skip|abbrechen|zurück|schließen|verwerfen|cancelar|cerrar|volver|annuler|fermer|retour|annulla|chiudi|indietro|annuleren|sluiten|anuluj|wstecz|отмена|закрыть|назад|إلغاء|إغلاق|x', '(?:×|✕|キャンセル|閉じる|戻る|取消|关闭|返回|취소|닫기)', true);

/** Buttons that do not say what is sent. */
export const SAYS_NOTHING = /^(submit|ok|okay|go|continue|next( step)?|done|confirm|apply|save( changes| settings)?|update|proceed|finish|»|→|>|absenden|senden|speichern|weiter|nächster schritt|étape suivante|siguiente paso|próxim[oa]|übernehmen|bestätigen|enviar|guardar|aceptar|continuar|siguiente|envoyer|enregistrer|valider|continuer|suivant|invia|salva|continua|avanti|conferma|opslaan|verzenden|volgende|zapisz|wyślij|dalej|сохранить|отправить|далее|送信|保存|次へ(進む)?|提交|确定|下一步|저장|확인|حفظ|إرسال)$/i;

/** What leads to other pages of a list. @type {['first' | 'last' | 'next' | 'previous', RegExp][]} */
export const ARROWS = [
  ['first', words('first|erste|première|primera|prima|первая', '^[«⏮]$|首页|最初')], ['last', words('last|letzte|dernière|última|ultima|последняя', '^[»⏭]$|末页|最後')],
  ['next', words('next|older|nächste|weiter|suivante?|siguiente|próxim[ao]|avanti|successiva|volgende|następna|следующая|далее|вперёд|التالي', '^[›>→]+$|次|下一[页頁]|다음')],
  ['previous', words('prev(?:ious)?|newer|vorherige|zurück|précédente?|anterior|indietro|precedente|vorige|poprzednia|предыдущая|назад|السابق', '^[‹<←]+$|前|上一[页頁]|이전')],
];
