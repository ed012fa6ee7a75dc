package listfile

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"meldhall/tournament/spelling"
)

// headerWords lists the words for each field in the headers of lists, in the languages of this program and others.
const headerWords = `
name: name, names, player, players, participant, full name, first and last name, name and surname, player name, entrant,
 nome, nominativo, giocatore, giocatrice, cognome e nome, nome e cognome, partecipante, nome giocatore,
 nom, joueur, joueuse, participant, nom et prenom, nom complet, naam, speler, deelnemer, spieler, spielerin, teilnehmer,
 vor- und nachname, nombre, jugador, jugadora, participante, nombre y apellidos, nombre completo, jogador,
 nome completo, imie i nazwisko, nazwisko i imie, zawodnik, zawodniczka, uczestnik, gracz, jmeno, hrac,
 jmeno a prijmeni, meno, nev, jatekos, versenyzo, nume, jucator, ime, igrac, igralec, navn, spiller, namn, spelare,
 nimi, pelaaja, isim, ad soyad, oyuncu, ονομα, ονοματεπωνυμο, παικτης, имя, игрок, фио, участник, 'імя, гравець, שם,
 שם מלא, שחקן, שם השחקן, שחקנית, משתתף, 名前, 氏名, 選手, 選手名, 参加者, お名前, 이름, 성명, 선수, 선수명, 참가자, 姓名, 選手姓名, 名字, 玩家, 参赛者, 參賽者, 选手
first: first name, firstname, given name, forename, nome di battesimo, prenom, voornaam, vorname, imie, krestni jmeno,
 keresztnev, prenume, fornavn, fornamn, etunimi, שם פרטי, имя и отчество, 名
last: last name, lastname, surname, family name, cognome, nom de famille, achternaam, nachname, familienname, apellidos,
 apellido, sobrenome, nazwisko, prijmeni, priezvisko, vezeteknev, csaladnev, prezime, priimek, etternavn, efternamn,
 efternavn, sukunimi, soyadi, επωνυμο, фамилия, прiзвище, שם משפחה, 姓, 苗字, 성
country: country, nation, nationality, fed, federation, land, ctry, country code, paese, nazione, nazionalita, stato,
 naz, pays, nationalite, nation., nationalitat, staat, natie, nationaliteit, pais, nacionalidad, nacionalidade, kraj,
 panstwo, narodowosc, zeme, stat, krajina, orszag, tara, drzava, maa, ulke, χωρα, страна, краiна, מדינה, ארץ, 国, 国籍,
 国・地域, 国·地域, 国名, 국가, 국적, 나라, 국가/지역, 國家, 國籍, 国家, 國家/地區
club: club, team, association, society, circolo, societa, squadra, associazione, verein, mannschaft, vereniging, ploeg,
 klub, druzyna, equipo, asociacion, clube, equipe, association, oddil, egyesulet, csapat, drustvo, klubb, forening,
 seura, kulup, takim, συλλογος, клуб, команда, מועדון, קבוצה, 所属, クラブ, チーム, 클럽, 소속, 팀, 俱樂部, 所屬, 所屬團體, 俱乐部
rating: rating, elo, rtg, points rating, score rating, punteggio, elo rating, wertung, wertungszahl, cote,
 ranking, rank points, ertekszam, pontszam, δυναμικη, рейтинг, דירוג, דירוג אישי, レーティング, レート, 레이팅,
 等級分, 等级分, 積分, 段位
email: email, e-mail, mail, e-mail address, email address, posta elettronica, indirizzo e-mail, courriel,
 adresse e-mail, correo, correo electronico, e-mailadres, e-mail-adresse, adres e-mail, эл почта, דוא"ל, דואל, מייל,
 メール, メールアドレス, 이메일, 電子郵件, 邮箱
division: division, category, class, group, age group, categoria, divisione, classe, gruppo, klasse, kategorie,
 altersklasse, categorie, kategoria, grupa, skupina, catégorie, kategoria wiekowa, korosztaly, κατηγορια, категория,
 קטגוריה, חטיבה, 部門, クラス, 부문, 組別, 组别
family: family, relatives, famiglia, familie, famille, familia, rodzina, rodina, csalad, משפחה, 家族, 가족, 家庭
drawn: drawn, drawn number, lot, lot number, numero estratto, estratto, gezogen, losnummer, numero tire, tire,
 getrokken, nummer getrokken, sorteado, wylosowany, numer losu, הגרלה, くじ, 추첨번호, 抽籤號碼
mark: mark, told apart by, note apart, contrassegno, segno, distinzione, kennzeichen, zusatz, marque, distinction,
 onderscheid, marca, oznaczenie, סימן, 区別, 구별, 區別
federation_number: federation_number, federation number, federation id, fed id, fide id, fideid, id fide, member number,
 membership number, member no, member id, licence, license, licence number, license number, player id, tessera,
 numero tessera, n tessera, id federazione, numero federazione, licenza, mitgliedsnummer, verbandsnummer, spielernummer,
 lizenznummer, numero de licence, n licence, licencia, numero de licencia, numero de socio, bondsnummer, lidnummer,
 numer licencji, licencja, numer czlonkowski, מספר חבר, מספר באיגוד, 会員番号, 회원번호, 會員編號
round: round, rnd, turno, round no, round number, runde, ronde, ronda, runda, kolo, fordulo, гiр, тур, סיבוב, ラウンド, 라운드,
 輪次
stage: stage, phase, fase, etapa, etape, faza, שלב, ステージ, 단계, 階段
table: table, tavolo, tisch, tafel, mesa, stolik, stol, stul, asztal, τραπεζι, стол, שולחן, 卓, テーブル, 테이블, 桌, 桌次
seat: seat, posto, platz, sitz, plaats, stoel, asiento, puesto, siege, place, miejsce, misto, hely, место, מושב, 席, 座席,
 좌석, 자리, 座位
number: number, no, nr, no., start number, starting number, numero, n, n., num, pettorale, startnummer, numer, cislo,
 sorszam, номер, מספר, 番号, 번호, 編號
stand_in: stand_in, stand-in, substitute, sostituto, vertretung, remplacant, vervanger, zastepca
`

// headerFields maps the words of headers to their fields.
var headerFields = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.SplitSeq(strings.ReplaceAll(headerWords, "\n ", " "), "\n") {
		field, words, _ := strings.Cut(line, ":")
		for word := range strings.SplitSeq(words, ",") {
			if key := headerKey(word); key != "" {
				all[key] = append(all[key], field)
			}
		}
	}
	return all
})

var (
	besideWord = regexp.MustCompile(`\([^)]*\)|\[[^\]]*\]`)
	noWord     = regexp.MustCompile(`[ _.:*#°º]+`)
)

// headerKey returns a header's text as headerFields writes it: without remarks in parentheses and punctuation.
func headerKey(text string) string {
	return noWord.ReplaceAllString(besideWord.ReplaceAllString(spelling.Search(text), ""), "")
}

// fieldOf returns the field that a header's cell names, or "". A cell in two languages names it in either: Name / Nome.
func fieldOf(cell string, fields []string) string {
	texts := append([]string{cell}, strings.FieldsFunc(cell, func(r rune) bool {
		return r == '/' || r == '|' || r == '／' || r == '\n'
	})...)
	for _, text := range texts {
		for _, field := range headerFields()[headerKey(text)] {
			if slices.Contains(fields, field) {
				return field
			}
		}
	}
	return ""
}
